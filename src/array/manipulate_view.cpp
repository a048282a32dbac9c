// The functions of manipulate.h that return views.
#include <algorithm>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/linalg.h>
#include <hither/manipulate.h>
#include <hither/strides.h>

#include "array/graph/layout.h"
#include "array/placed.h"

namespace hither {
namespace {

// `shape` with -1 replaced by the missing extent.
Dims inferred(const Dims& shape, const Array& x) {
  Dims result = shape;
  int64_t* unknown = std::find(result.begin(), result.end(), -1);
  if (std::find(std::min(unknown + 1, result.end()), result.end(), -1) != result.end())
    throw Error(ErrorKind::kValue, "reshape", "at most one extent can be -1");
  if (unknown != result.end()) {
    *unknown = 1;
    const int64_t known = element_count(result);
    *unknown = known > 0 ? x.size() / known : -1;
  }
  if ((unknown != result.end() && *unknown < 0) || element_count(result) != x.size())
    throw Error(ErrorKind::kValue, "reshape",
                fmt::format("cannot reshape an array of shape {} into {}",
                            array::shape_text(x.shape()), array::shape_text(shape)));
  return result;
}

// Strides that view x in `shape` without a copy, in C order, if there are any. Runs of old axes
// with one constant stride are matched with runs of new axes of the same total extent.
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

}  // namespace

int normalize_axis(int64_t axis, int ndim, std::string_view where) {
  if (axis < -ndim || axis >= ndim) {
    throw AxisError(
        std::string(where),
        fmt::format("axis {} is out of bounds for an array of {} dimensions", axis, ndim));
  }
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

Dims normalize_axes(const Dims& axes, int ndim, std::string_view where) {
  Dims result;
  for (int64_t value : axes) {
    const int axis = normalize_axis(value, ndim, where);
    if (std::find(result.begin(), result.end(), axis) != result.end()) {
      throw Error(ErrorKind::kValue, std::string(where),
                  fmt::format("axis {} is named twice", axis));
    }
    result.push_back(axis);
  }
  return result;
}

Array permute_dims(const Array& x, const Dims& axes) {
  if (axes.size() != x.ndim()) {
    throw Error(
        ErrorKind::kValue, "permute_dims",
        fmt::format("{} axes are given for an array of {} dimensions", axes.size(), x.ndim()));
  }
  Dims shape, strides;
  for (int64_t axis : normalize_axes(axes, x.ndim(), "permute_dims")) {
    shape.push_back(x.shape()[static_cast<int>(axis)]);
    strides.push_back(x.strides()[static_cast<int>(axis)]);
  }
  return strided_view(x, shape, strides, 0);
}

Array moveaxis(const Array& x, const Dims& source, const Dims& destination) {
  const Dims from = normalize_axes(source, x.ndim(), "moveaxis");
  const Dims to = normalize_axes(destination, x.ndim(), "moveaxis");
  if (from.size() != to.size()) {
    throw Error(ErrorKind::kValue, "moveaxis",
                fmt::format("{} axes cannot move to {} places", from.size(), to.size()));
  }
  Dims order(x.ndim(), -1);
  for (int i = 0; i < from.size(); ++i) order[static_cast<int>(to[i])] = from[i];
  int64_t* place = order.begin();
  for (int axis = 0; axis < x.ndim(); ++axis) {
    if (std::find(from.begin(), from.end(), axis) != from.end()) continue;
    place = std::find(place, order.end(), -1);
    *place = axis;
  }
  return permute_dims(x, order);
}

Array matrix_transpose(const Array& x) {
  if (x.ndim() < 2) {
    throw Error(ErrorKind::kValue, "matrix_transpose",
                fmt::format("needs at least 2 dimensions, the array has {}", x.ndim()));
  }
  return moveaxis(x, {-1}, {-2});
}

Array expand_dims(const Array& x, int axis) {
  array::require_rank(x.ndim() + 1, "expand_dims");
  const int place = normalize_axis(axis, x.ndim() + 1, "expand_dims");
  Dims shape = x.shape();
  Dims strides = x.strides();
  shape.insert(place, 1);
  strides.insert(place, 0);
  return strided_view(x, shape, strides, 0);
}

Array squeeze(const Array& x, const Dims& axes) {
  const Dims gone = normalize_axes(axes, x.ndim(), "squeeze");
  Dims shape, strides;
  for (int i = 0; i < x.ndim(); ++i) {
    const bool goes = std::find(gone.begin(), gone.end(), i) != gone.end();
    if (goes && x.shape()[i] != 1) {
      throw Error(ErrorKind::kValue, "squeeze",
                  fmt::format("axis {} has extent {}; only axes of extent 1 can be removed", i,
                              x.shape()[i]));
    }
    if (goes) continue;
    shape.push_back(x.shape()[i]);
    strides.push_back(x.strides()[i]);
  }
  return strided_view(x, shape, strides, 0);
}

Array flip(const Array& x, const std::optional<Dims>& axes) {
  Dims strides = x.strides();
  int64_t offset = 0;
  const auto reverse = [&](int axis) {
    offset += x.size() ? (x.shape()[axis] - 1) * x.strides()[axis] : 0;
    strides[axis] = -strides[axis];
  };
  if (axes) {
    for (int64_t axis : normalize_axes(*axes, x.ndim(), "flip")) reverse(static_cast<int>(axis));
  } else {
    for (int axis = 0; axis < x.ndim(); ++axis) reverse(axis);
  }
  return strided_view(x, x.shape(), strides, offset);
}

std::vector<Array> unstack(const Array& x, int axis) {
  const int place = normalize_axis(axis, x.ndim(), "unstack");
  Dims shape = x.shape();
  Dims strides = x.strides();
  shape.erase(place);
  strides.erase(place);
  std::vector<Array> parts;
  for (int64_t i = 0; i < x.shape()[place]; ++i) {
    parts.push_back(strided_view(x, shape, strides, x.size() ? i * x.strides()[place] : 0));
  }
  return parts;
}

Array reshape(const Array& x, const Dims& shape, std::optional<bool> copied) {
  const Dims target = inferred(shape, x);
  const Array source = copied == true ? copy(x) : x;
  if (source.size() == 0) return strided_view(source, target, contiguous_strides(target), 0);
  if (const auto strides = strides_in_place(source, target)) {
    return strided_view(source, target, *strides, 0);
  }
  if (copied == false) {
    throw Error(ErrorKind::kValue, "reshape", "copy=False, but these strides require a copy");
  }
  return strided_view(copy(source), target, contiguous_strides(target), 0);
}

}  // namespace hither
