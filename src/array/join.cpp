// Functions that copy parts of arrays into new arrays.
#include <hither/manipulate.h>

#include <algorithm>

#include <fmt/format.h>

#include <hither/index.h>
#include <hither/ops.h>

#include "array/flush.h"
#include "array/graph/layout.h"
#include "array/placed.h"
#include "array/plan/gpu_forms.h"

namespace hither {

using namespace array;

namespace {

/// Elements [begin, end) of an axis.
Array part_of(const Array& x, int axis, int64_t begin, int64_t end) {
  Dims shape = x.shape();
  shape[axis] = end - begin;
  return strided_view(x, shape, x.strides(), end > begin ? begin * x.strides()[axis] : 0);
}

void check_parts(std::string_view where, std::span<const Array> arrays) {
  if (arrays.empty())
    throw Error(ErrorKind::kValue, std::string(where), "needs at least one array");
}

Placed place_parts(std::string_view where, std::span<const Array> arrays, const Queue* queue) {
  std::vector<const Array*> all;
  for (const Array& x : arrays) all.push_back(&x);
  return place_arrays(where, all, queue);
}

DType promoted(std::span<const Array> arrays) {
  DType t = arrays[0].dtype();
  for (const Array& x : arrays) t = promote(t, x.dtype());
  return t;
}

Dims joined_shape(std::span<const Array> arrays, int axis) {
  Dims shape = arrays[0].shape();
  for (size_t i = 1; i < arrays.size(); ++i) {
    const Dims& other = arrays[i].shape();
    bool fits = other.size() == shape.size();
    for (int d = 0; fits && d < shape.size(); ++d) fits = d == axis || other[d] == shape[d];
    if (!fits)
      throw Error(ErrorKind::kValue, "concat",
                  fmt::format("arrays[{}] has shape {}, which does not join {} along axis {}", i,
                              shape_text(other), shape_text(arrays[0].shape()), axis));
    if (__builtin_add_overflow(shape[axis], other[axis], &shape[axis]))
      throw Error(ErrorKind::kValue, "concat",
                  fmt::format("axis {} would have more than 2^63 - 1 elements", axis));
  }
  return shape;
}

// The most arrays from which an item of a GPU selects.
constexpr int kMostSelected = 4;

/// Whether the arrays are columns which a GPU joins by one kernel: its items store consecutive
/// elements, where a kernel for each column would write to each part of a memory sector by itself.
bool interleaves(std::span<const Array> arrays, int axis, const Placed& placed) {
  const auto is_column = [&](const Array& x) { return x.shape()[axis] == 1 && x.size() > 0; };
  return takes_gpu_forms(placed.queue) && axis == arrays[0].ndim() - 1 && arrays.size() > 1 &&
         arrays.size() <= kMostSelected && std::ranges::all_of(arrays, is_column);
}

/// candidates[k][..., k] for each column k of arrays of one shape and dtype, by one kernel.
Array select_columns(std::span<const Array> candidates) {
  const Dims& shape = candidates[0].shape();
  const DType index = shape.product() <= INT32_MAX ? DType::kInt32 : DType::kInt64;
  const Array column =
      remainder(array::positions(shape, Scalar(0), Scalar(1), index,
                                 {candidates[0].queue(), candidates[0].usm_type()}),
                static_cast<int64_t>(candidates.size()));
  Array result = candidates.back();
  for (size_t k = candidates.size() - 1; k-- > 0;)
    result = where(column == static_cast<int64_t>(k), candidates[k], result);
  return result;
}

}  // namespace

Array concat(std::span<const Array> arrays, std::optional<int> axis, const Queue* queue) {
  check_parts("concat", arrays);
  if (!axis) {
    std::vector<Array> flat;
    for (const Array& x : arrays) flat.push_back(reshape(x, Dims{-1}));
    return concat(flat, 0, queue);
  }
  if (arrays[0].ndim() == 0)
    throw Error(ErrorKind::kValue, "concat", "0-d arrays have no axis to join along; use stack");
  const int d = normalize_axis(*axis, arrays[0].ndim(), "concat");
  const Placed placed = place_parts("concat", arrays, queue);
  const Dims shape = joined_shape(arrays, d);
  const DType dtype = promoted(arrays);
  if (!is_float8(dtype) && interleaves(arrays, d, placed)) {
    std::vector<Array> columns;
    for (const Array& x : arrays)
      columns.push_back(broadcast_to(astype(on_queue(x, placed.queue), dtype, false), shape));
    return select_columns(columns);
  }
  Array result = empty(shape, dtype, {placed.queue, placed.usm_type});
  int64_t at = 0;
  for (const Array& x : arrays) {
    const int64_t n = x.shape()[d];
    assign(part_of(result, d, at, at + n), on_queue(x, placed.queue));
    at += n;
  }
  return result;
}

Array stack(std::span<const Array> arrays, int axis, const Queue* queue) {
  check_parts("stack", arrays);
  const int d = normalize_axis(axis, arrays[0].ndim() + 1, "stack");
  std::vector<Array> parts;
  for (const Array& x : arrays) {
    if (!(x.shape() == arrays[0].shape()))
      throw Error(ErrorKind::kValue, "stack",
                  fmt::format("arrays[{}] has shape {}, arrays[0] has {}; all must be the same",
                              parts.size(), shape_text(x.shape()), shape_text(arrays[0].shape())));
    parts.push_back(expand_dims(x, d));
  }
  return concat(parts, d, queue);
}

namespace {

/// An array seen with extra axes of stride 0, but without axes of extent 1.
struct Seen {
  std::string_view where;
  Dims shape, strides;

  void add(int64_t extent, int64_t stride) {
    if (extent == 1) return;
    require_rank(shape.size() + 1, where);
    shape.push_back(extent);
    strides.push_back(stride);
  }
  /// A copy in its final shape.
  Array copied(const Array& x, const Dims& final_shape, const Queue* queue) const {
    const Placed placed = place_arrays(where, {&x}, queue);
    const Array source = on_queue(x, placed.queue);
    return reshape(copy(strided_view(source, shape, strides, 0)), final_shape);
  }
};

/// The sum of the counts. None may be negative.
int64_t total_count(const std::vector<int64_t>& counts) {
  int64_t total = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0)
      throw Error(ErrorKind::kValue, "repeat",
                  fmt::format("repeats[{}] is {}, negative", i, counts[i]));
    if (__builtin_add_overflow(total, counts[i], &total))
      throw Error(ErrorKind::kValue, "repeat", "the sum of the counts exceeds 2^63 - 1 elements");
  }
  return total;
}

}  // namespace

Array repeat(const Array& x, int64_t count, std::optional<int> axis, const Queue* queue) {
  if (count < 0)
    throw Error(ErrorKind::kValue, "repeat",
                fmt::format("count is {}; it must not be negative", count));
  if (!axis) return repeat(reshape(x, Dims{-1}), count, 0, queue);
  const int d = normalize_axis(*axis, x.ndim(), "repeat");
  Dims shape = x.shape();
  shape[d] = element_count({shape[d], count});
  Seen seen{.where = "repeat"};
  for (int i = 0; i < x.ndim(); ++i) {
    seen.add(x.shape()[i], x.strides()[i]);
    if (i == d) seen.add(count, 0);
  }
  return seen.copied(x, shape, queue);
}

Array repeat(const Array& x, const Array& counts, std::optional<int> axis, const Queue* queue) {
  if (!axis) return repeat(reshape(x, Dims{-1}), counts, 0, queue);
  const int d = normalize_axis(*axis, x.ndim(), "repeat");
  if (!is_integer(counts.dtype()))
    throw Error(ErrorKind::kType, "repeat",
                fmt::format("repeats is {}; it must be an integer dtype", name_of(counts.dtype())));
  if (counts.ndim() > 1 || (counts.size() != x.shape()[d] && counts.size() != 1))
    throw Error(ErrorKind::kValue, "repeat",
                fmt::format("repeats has shape {}; axis {} has {} elements",
                            shape_text(counts.shape()), d, x.shape()[d]));
  std::vector<int64_t> host(static_cast<size_t>(counts.size()));
  to_host(astype(counts, DType::kInt64, false), host.data());
  if (host.size() == 1) return repeat(x, host[0], d, queue);
  Dims shape = x.shape();
  shape[d] = total_count(host);
  element_count(shape);  // throws if there are too many
  std::vector<int64_t> indices;
  indices.reserve(static_cast<size_t>(shape[d]));
  for (size_t i = 0; i < host.size(); ++i)
    indices.insert(indices.end(), static_cast<size_t>(host[i]), static_cast<int64_t>(i));
  const Array where = from_host(indices.data(), Dims{static_cast<int64_t>(indices.size())}, Dims{8},
                                DType::kInt64, {counts.queue(), UsmType::kDevice});
  return take(x, where, d, queue);
}

Array tile(const Array& x, const Dims& repeats, const Queue* queue) {
  const int rank = std::max(x.ndim(), repeats.size());
  Dims shape;
  Seen seen{.where = "tile"};
  for (int d = 0; d < rank; ++d) {
    const int from = d - (rank - x.ndim()), r = d - (rank - repeats.size());
    const int64_t n = from < 0 ? 1 : x.shape()[from];
    const int64_t times = r < 0 ? 1 : repeats[r];
    if (times < 0)
      throw Error(ErrorKind::kValue, "tile", fmt::format("repeats[{}] is {}, negative", r, times));
    seen.add(times, 0);
    seen.add(n, from < 0 ? 0 : x.strides()[from]);
    shape.push_back(element_count({n, times}));
  }
  return seen.copied(x, shape, queue);
}

}  // namespace hither
