#include <hither/reshape.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hither/error.h>

namespace hither {
namespace {

int normalized(int64_t axis, int rank, const char* where) {
  if (axis < -rank || axis >= rank) {
    throw Error(ErrorKind::kIndex, where,
                fmt::format("axis {} is out of bounds for {} dimensions", axis, rank));
  }
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

// Which of `rank` axes are named.
Dims marked(const Dims& axes, int rank, const char* where) {
  Dims marks(rank, 0);
  for (int64_t value : axes) {
    const int axis = normalized(value, rank, where);
    if (marks[axis]++) {
      throw Error(ErrorKind::kValue, where, fmt::format("axis {} is named twice", axis));
    }
  }
  return marks;
}

// `shape` with -1 replaced.
Dims inferred(const Dims& shape, int64_t size, const Dims& from) {
  Dims result = shape;
  int unknown = -1;
  int64_t known = 1;
  for (int i = 0; i < shape.size(); ++i) {
    if (shape[i] == -1 && unknown < 0) {
      unknown = i;
    } else if (shape[i] < 0) {
      throw Error(ErrorKind::kValue, "reshape",
                  shape[i] == -1 ? "only one extent can be -1" : "extents cannot be negative");
    } else {
      known *= shape[i];
    }
  }
  if (unknown >= 0 && known > 0 && size % known == 0) result[unknown] = size / known;
  if (result.product() != size || (unknown >= 0 && result[unknown] < 0)) {
    throw Error(ErrorKind::kValue, "reshape",
                fmt::format("cannot reshape an array of shape ({}) into ({})", fmt::join(from, ", "),
                            fmt::join(shape, ", ")));
  }
  return result;
}

// Strides that give x's elements in C order in `shape` without a copy, if there are any: runs of old axes
// that lie evenly in memory are matched with runs of new axes of the same extent in all.
std::optional<Dims> strides_in_place(const Array& x, const Dims& shape) {
  Dims old_shape, old_strides;
  for (int i = 0; i < x.ndim(); ++i) {
    if (x.shape()[i] == 1) continue;
    old_shape.push_back(x.shape()[i]);
    old_strides.push_back(x.strides()[i]);
  }
  Dims strides(shape.size(), 1);
  int old_end = old_shape.size();
  int axis = shape.size() - 1;
  while (axis >= 0) {
    if (shape[axis] == 1) {
      --axis;
      continue;
    }
    int64_t run = old_shape[--old_end];
    int64_t stride = old_strides[old_end];
    const int64_t innermost = stride;
    int64_t filled = 1;
    while (true) {
      if (filled < run) {
        if (axis < 0) return std::nullopt;
        strides[axis] = innermost * filled;
        filled *= shape[axis--];
      } else if (filled > run) {
        if (old_end == 0 || old_strides[old_end - 1] != stride * old_shape[old_end]) {
          return std::nullopt;
        }
        stride = old_strides[--old_end];
        run *= old_shape[old_end];
      } else {
        break;
      }
    }
  }
  return strides;
}

Dims c_strides(const Dims& shape) {
  Dims strides(shape.size(), 1);
  for (int i = shape.size() - 2; i >= 0; --i) strides[i] = strides[i + 1] * shape[i + 1];
  return strides;
}

}  // namespace

Array permute_dims(const Array& x, const Dims& axes) {
  if (axes.size() != x.ndim()) {
    throw Error(ErrorKind::kValue, "permute_dims",
                fmt::format("{} axes are given for an array of {} dimensions", axes.size(), x.ndim()));
  }
  (void)marked(axes, x.ndim(), "permute_dims");
  Dims shape, strides;
  for (int64_t value : axes) {
    const int axis = normalized(value, x.ndim(), "permute_dims");
    shape.push_back(x.shape()[axis]);
    strides.push_back(x.strides()[axis]);
  }
  return strided_view(x, shape, strides, 0);
}

Array expand_dims(const Array& x, const Dims& axes) {
  const int rank = x.ndim() + axes.size();
  if (rank > kMaxRank) {
    throw Error(ErrorKind::kValue, "expand_dims",
                fmt::format("{} dimensions are more than the {} an array may have", rank, kMaxRank));
  }
  const Dims marks = marked(axes, rank, "expand_dims");
  Dims shape, strides;
  for (int i = 0, from = 0; i < rank; ++i) {
    shape.push_back(marks[i] ? 1 : x.shape()[from]);
    strides.push_back(marks[i] ? 0 : x.strides()[from]);
    from += marks[i] ? 0 : 1;
  }
  return strided_view(x, shape, strides, 0);
}

Array squeeze(const Array& x, const Dims& axes) {
  const Dims marks = marked(axes, x.ndim(), "squeeze");
  Dims shape, strides;
  for (int i = 0; i < x.ndim(); ++i) {
    if (marks[i] && x.shape()[i] != 1) {
      throw Error(ErrorKind::kValue, "squeeze",
                  fmt::format("axis {} has extent {}, only extents of 1 can go", i, x.shape()[i]));
    }
    if (marks[i]) continue;
    shape.push_back(x.shape()[i]);
    strides.push_back(x.strides()[i]);
  }
  return strided_view(x, shape, strides, 0);
}

Array reshape(const Array& x, const Dims& shape, std::optional<bool> copied) {
  const Dims target = inferred(shape, x.size(), x.shape());
  const Array source = copied == true ? copy(x) : x;
  if (source.size() == 0) return strided_view(source, target, c_strides(target), 0);
  if (const auto strides = strides_in_place(source, target)) {
    return strided_view(source, target, *strides, 0);
  }
  if (copied == false) {
    throw Error(ErrorKind::kValue, "reshape", "copy=False, but the strides make a copy necessary");
  }
  return strided_view(copy(source), target, c_strides(target), 0);
}

}  // namespace hither
