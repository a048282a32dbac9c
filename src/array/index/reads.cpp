// Reads through integer arrays.
#include <algorithm>

#include <fmt/format.h>

#include <hither/index.h>
#include <hither/manipulate.h>
#include <hither/ops.h>

#include "array/device_check.h"
#include "array/flush.h"
#include "array/index/target.h"
#include "array/record/work_recorder.h"
#include "runtime/interruptible_wait.h"
#include "runtime/queue_state.h"

namespace hither {

using namespace array;

namespace {

Placed place_indexed(std::string_view where, const Array& x, std::span<const Array> indices,
                     const Queue* queue) {
  std::vector<const Array*> all{&x};
  for (const Array& i : indices) all.push_back(&i);
  return place_arrays(where, all, queue);
}

/// Whether a gather trusts its indices.
enum class Trust {
  kNone,      ///< they are checked first
  kChecking,  ///< they are being checked: indices out of range read any element
  kAll,
};

// A pending read of x through `offsets`, evaluated or pending.
Array read_through(const Array& x, const Array& offsets, GatherShape shape, const Dims& result,
                   const Placed& placed, std::optional<CheckedAxis> checked = std::nullopt) {
  ValueRef node = make_node(ValueKind::kRecipe, contiguous_layout(placed.queue, result), x.dtype(),
                            x.dtype(), placed.usm_type);
  node->input_count = 2;
  node->inputs[0] = input_of(x);
  node->inputs[1] = input_of(offsets);
  node->recipe = std::make_unique<GatherRecipe>(std::move(shape), std::move(checked));
  bound(*node);
  bool escaped = synchronise_if_escaped(x, placed.queue);
  escaped |= synchronise_if_escaped(offsets, placed.queue);
  return finish(std::move(node), escaped);
}

// After check_indices().
Array gather_with(Trust trust, std::string_view where, const Array& x,
                  std::span<const Array> indices, int first_axis, const Placed& placed) {
  const Array source = on_queue(x, placed.queue);
  Target t = target_of(where, source, indices, first_axis, placed, trust == Trust::kNone);
  t.shape.clamped = trust == Trust::kChecking;
  return read_through(source, t.offsets, t.shape, t.result, placed);
}

// Whether the kernel that reads x checks its indices. On GPUs only if there are many: for few, the
// host would wait for the whole gather, which takes longer than a second read of the indices.
bool checks_inside(const Queue& queue, const Array& x, const Array& index) {
  constexpr int64_t kManyOnGpus = int64_t{1} << 20;
  if (x.size() == 0) return false;
  if (!Recorder::is_refused()) return index.size() > 0;
  if (!x.is_evaluated()) return false;
  if (DeviceCheck::suits(queue)) return index.size() >= kManyOnGpus;
  return index.size() > 0 && queue.state()->driver->submission_waits();
}

// The read of one axis by a kernel that checks its indices. Nothing if one is out of range. `shape`
// has the other axes.
std::optional<Array> checked_inside(std::string_view where, const Array& x, const Array& index,
                                    int axis, GatherShape shape, const Dims& result,
                                    const Placed& placed) {
  if (!Recorder::is_refused()) {  // the kernel counts from the end, and finds nothing
    record_check(where, index, axis, x.shape()[axis]);
    return read_through(x, index, std::move(shape), result, placed,
                        CheckedAxis{x.shape()[axis], x.strides()[axis],
                                    Memory::for_work(placed.queue, 1, UsmType::kDevice)});
  }
  Memory found(placed.queue, 1, UsmType::kHost);
  *static_cast<char*>(found.data()) = 0;
  const Array read = read_through(x, index, std::move(shape), result, placed,
                                  CheckedAxis{x.shape()[axis], x.strides()[axis], found});
  const ValueRef value = evaluated(read);
  runtime::wait_interruptibly(value->written.event());
  if (*static_cast<const char*>(found.data()) != 0) return std::nullopt;
  return read;
}

// An index array from the begin of its memory, which no other library changes meanwhile.
Array readable(const Array& given, const Placed& placed) {
  const Array index = on_queue(given, placed.queue);
  const bool is_copied =
      synchronise_if_escaped(index, placed.queue) || static_cast<bool>(input_of(index).layout);
  return is_copied ? copy(index) : index;
}

// Starts the read while the indices are checked. Nothing if one is out of range, or negative.
std::optional<Array> read_while_checked(std::string_view where, const Array& x,
                                        std::span<const Array> indices, int first_axis,
                                        const Placed& placed) {
  std::vector<Array> own;
  std::vector<DeviceCheck> checks;
  for (const Array& given : indices) {
    own.push_back(readable(given, placed));
    checks.push_back(DeviceCheck::of_indices(
        own.back(), x.shape()[first_axis + static_cast<int>(checks.size())]));
  }
  const Array result = gather_with(Trust::kChecking, where, x, own, first_axis, placed);
  result.evaluate();
  if (!std::ranges::all_of(checks, &DeviceCheck::holds)) return std::nullopt;
  return result;
}

// The elements at indices of the program.
Array gather_checked(std::string_view where, const Array& x, std::span<const Array> indices,
                     int first_axis, const Queue* queue) {
  check_indices(where, x, indices, first_axis);
  const Placed placed = place_indexed(where, x, indices, queue);
  std::optional<Array> read;
  if (indices.size() == 1 && checks_inside(placed.queue, x, indices[0])) {
    const Array source = on_queue(x, placed.queue);
    Target t = shapes_of(where, source, indices, first_axis);
    read = checked_inside(where, source, readable(indices[0], placed), first_axis,
                          std::move(t.shape), t.result, placed);
  } else if (DeviceCheck::suits(placed.queue) && x.size() > 0 && x.is_evaluated() &&
             Recorder::is_refused() &&
             std::ranges::all_of(indices, [](const Array& i) { return i.size() > 0; })) {
    read = read_while_checked(where, x, indices, first_axis, placed);
  }
  return read ? *read : gather_with(Trust::kNone, where, x, indices, first_axis, placed);
}

// take_along_axis for the last axis, where each row of x has a row of indices.
Array take_along_rows(const Array& given, const Array& indices, const Placed& placed) {
  const Array x = on_queue(given, placed.queue);
  const int last = x.ndim() - 1;
  const int64_t extent = x.shape()[last], stride = x.strides()[last];
  GatherShape shape;
  shape.own_indices = true;
  for (int d = 0; d < last; ++d) {
    shape.outer.push_back(x.shape()[d]);
    shape.outer_strides.push_back(x.strides()[d]);
  }
  if (checks_inside(placed.queue, x, indices))
    if (auto read = checked_inside("take_along_axis", x, readable(indices, placed), last, shape,
                                   indices.shape(), placed))
      return *read;
  Array offsets = from_start("take_along_axis", on_queue(indices, placed.queue), last, extent);
  if (stride != 1) offsets = offsets * Scalar(stride);
  if (input_of(offsets).layout) offsets = copy(offsets);
  return read_through(x, offsets, std::move(shape), indices.shape(), placed);
}

}  // namespace

Array array::gather_in_range(std::string_view where, const Array& x, std::span<const Array> indices,
                             int first_axis, const Queue* queue) {
  check_indices(where, x, indices, first_axis);
  return gather_with(Trust::kAll, where, x, indices, first_axis,
                     place_indexed(where, x, indices, queue));
}

Array gather(const Array& x, std::span<const Array> indices, int first_axis, const Queue* queue) {
  return gather_checked("index", x, indices, first_axis, queue);
}

Array take(const Array& x, const Array& indices, int axis, const Queue* queue) {
  return gather_checked("take", x, std::span(&indices, 1), normalize_axis(axis, x.ndim(), "take"),
                        queue);
}

Array take_in_range(const Array& x, const Array& indices, int axis) {
  return gather_in_range("take", x, std::span(&indices, 1), normalize_axis(axis, x.ndim(), "take"),
                         nullptr);
}

Array take_along_axis(const Array& x, const Array& indices, int axis, const Queue* queue) {
  const int along = normalize_axis(axis, x.ndim(), "take_along_axis");
  if (indices.ndim() != x.ndim())
    throw Error(
        ErrorKind::kValue, "take_along_axis",
        fmt::format("indices have {} dimensions, the array has {}", indices.ndim(), x.ndim()));
  check_indices("take_along_axis", x, std::span(&indices, 1), along);
  const Placed placed = place_arrays("take_along_axis", {&x, &indices}, queue);
  const bool in_rows = along == x.ndim() - 1 &&
                       std::equal(x.shape().begin(), x.shape().end() - 1, indices.shape().begin());
  if (in_rows) return take_along_rows(x, indices, placed);
  const Array given =
      from_start("take_along_axis", on_queue(indices, placed.queue), along, x.shape()[along]);
  std::vector<Array> all;
  for (int d = 0; d < x.ndim(); ++d) {
    if (d == along) {
      all.push_back(given);
      continue;
    }
    Dims shape(x.ndim(), 1);
    shape[d] = x.shape()[d];
    all.push_back(
        reshape(iota(x.shape()[d], 0, 1, DType::kInt64, {placed.queue, placed.usm_type}), shape));
  }
  return gather_in_range("take_along_axis", x, all, 0, queue);
}

}  // namespace hither
