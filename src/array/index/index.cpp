// Indexing with integer arrays and masks.
#include <hither/index.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>

#include "array/assign.h"
#include "array/compress.h"
#include "array/flush.h"
#include "array/index/target.h"
#include "array/placed.h"
#include "array/record/work_recorder.h"
#include "runtime/queue_state.h"

namespace hither {

using namespace array;

namespace {

Array number_array(const Scalar& s, const Array& like) {
  return full(Dims{}, stored_scalar(s, like.dtype()), like.dtype(),
              {like.queue(), like.usm_type()});
}

Array as_stored(const Operand& value, const Array& x) {
  if (!value.is_array()) return number_array(value.scalar(), x);
  const Array& v = value.array();
  if (is_complex(v.dtype()) && !is_complex(x.dtype()))
    throw Error(ErrorKind::kType, "assign",
                fmt::format("{} cannot be stored in {}; take real(x) or imag(x)",
                            name_of(v.dtype()), name_of(x.dtype())));
  place_arrays("assign", {&x, &v}, nullptr);
  return astype(on_queue(v, x.queue()), x.dtype(), false);
}

// Writes value into x at the target's elements, or with `combine` what x has there combined with
// it.
void scatter_into(const Array& x, const Target& t, const Operand& value, bool unique,
                  std::optional<Reduction> combine) {
  if (combine) require_arithmetic("assign", x.dtype());
  Array stored = as_stored(value, x);
  const bool scalar = stored.size() == 1;
  stored = scalar ? reshape(stored, Dims{})
                  : broadcast_to(without_leading_ones(stored, t.result.size()), t.result);
  if (t.result.product() == 0) return;
  Storage& storage = *x.storage();
  array::submit(storage.present());
  require_ready(storage.present());
  ValueRef values = evaluated(stored);
  ValueRef offsets = evaluated(t.offsets);
  const bool shared = value.is_array() && synchronise_if_escaped(value.array(), x.queue());
  // The values and indices may share x's memory, which is written while they are read.
  if (values.get() == &storage.present()) values = evaluated(copy(stored));
  if (offsets.get() == &storage.present()) offsets = evaluated(copy(t.offsets));
  stored = Array();
  const bool escaped = synchronise_if_escaped(x, x.queue());
  with_graph_lock(x.queue(), [&] {
    const ValueRef target = exclusive_value(x, storage.value(), 1, escaped);
    note_write(*target, run_scatter(*target, *x.layout(), t.shape, *offsets, *values, scalar,
                                    unique, combine));
  });
  if (escaped || shared) settle(storage.present());
}

// With `check` the indices come from the program: they may be out of range, and may repeat.
void scatter_unchecked(const Array& x, std::span<const Array> indices, int first_axis,
                       const Operand& value, bool check,
                       std::optional<Reduction> combine = std::nullopt) {
  check_indices("assign", x, indices, first_axis);
  check_destination(x);
  std::vector<const Array*> all{&x};
  for (const Array& i : indices) all.push_back(&i);
  const Placed placed{place_arrays("assign", all, nullptr).queue, x.usm_type()};
  const Target t = target_of("assign", x, indices, first_axis, {x.queue(), placed.usm_type}, check);
  scatter_into(x, t, value, !check, combine);
}

// An axis without elements selects nothing, whatever the array's extent is there. NumPy allows
// this.
void check_mask(const Array& x, const Array& mask, int first_axis) {
  if (mask.dtype() != DType::kBool)
    throw Error(ErrorKind::kType, "mask",
                fmt::format("the mask is {}; it must be bool", name_of(mask.dtype())));
  if (first_axis < 0 || first_axis + mask.ndim() > x.ndim())
    throw Error(ErrorKind::kIndex, "mask",
                fmt::format("a mask of {} dimensions from axis {} on, the array has {}",
                            mask.ndim(), first_axis, x.ndim()));
  for (int d = 0; d < mask.ndim(); ++d)
    if (mask.shape()[d] != 0 && mask.shape()[d] != x.shape()[first_axis + d])
      throw Error(ErrorKind::kIndex, "mask",
                  fmt::format("the mask has shape {}; axis {} of the array has {} elements, not {}",
                              shape_text(mask.shape()), first_axis + d, x.shape()[first_axis + d],
                              mask.shape()[d]));
}

// The elements of each x that the mask selects, or their C-order positions if x is null; `leading`
// as in Selection. All arrays are on the queue.
std::vector<Array> selected(const Array& mask, bool leading, std::span<const Array* const> of,
                            const Placed& placed) {
  if (mask.size() > 0) refuse_reading("mask");
  bool escaped = synchronise_if_escaped(mask, placed.queue);
  for (const Array* x : of) escaped |= x && synchronise_if_escaped(*x, placed.queue);
  const ValueRef where = evaluated(mask);
  std::vector<ValueRef> from;  // submitted before the wait for the mask
  for (const Array* x : of) from.push_back(x ? evaluated(*x) : ValueRef());
  const Selection selection(*where, leading, placed);
  std::vector<Array> results;
  for (const ValueRef& x : from) {
    ValueRef result = selection.take(x.get());
    if (escaped) settle(*result);
    results.push_back(make_array(std::move(result)));
  }
  return results;
}

Array kept(const Array& mask, const Array* x, const Placed& placed) {
  return selected(mask, false, std::array{x}, placed)[0];
}

Array positions(const Array& mask) { return kept(mask, nullptr, {mask.queue(), mask.usm_type()}); }

std::vector<Array> split_positions(const Array& flat, const Dims& shape) {
  std::vector<Array> result(static_cast<size_t>(shape.size()));
  Array rest = flat;
  for (int d = shape.size() - 1; d > 0; --d) {
    result[static_cast<size_t>(d)] = remainder(rest, Scalar(shape[d]));
    rest = floor_divide(rest, Scalar(shape[d]));
  }
  result[0] = rest;
  return result;
}

// A view of x in which the axes of a mask are one axis; nothing if their strides do not permit it.
std::optional<Array> with_one_axis(const Array& x, int first_axis, int count) {
  Dims shape = x.shape(), strides = x.strides();
  for (int d = first_axis; d + 1 < first_axis + count; ++d)
    if (strides[d] != strides[d + 1] * shape[d + 1]) return std::nullopt;
  Dims merged_shape, merged_strides;
  int64_t extent = 1;
  for (int d = 0; d < shape.size(); ++d) {
    const bool masked = first_axis <= d && d < first_axis + count;
    extent = masked && d > first_axis ? extent * shape[d] : shape[d];
    if (masked && d + 1 < first_axis + count) continue;
    merged_shape.push_back(extent);
    merged_strides.push_back(strides[d]);
  }
  return strided_view(x, merged_shape, merged_strides, 0);
}

}  // namespace

Array element(const Array& x) { return element(x, Dims(x.ndim(), 0)); }

Array element(const Array& x, std::span<const int64_t> index) {
  const int64_t offset = element_offset(*x.layout(), index);
  const Value& value = x.storage()->present();
  // Tasks of such queues are complete when submission returns, so the result does not depend on
  // timing.
  if (x.is_evaluated() && value.queue.state()->driver->submission_waits() &&
      value.memory.host_accessible() && !eager() && !Recorder::is_active()) {
    ValueRef node = make_node(ValueKind::kConstant, contiguous_layout(x.queue(), Dims{}), x.dtype(),
                              x.dtype(), x.usm_type());
    node->input_count = 1;
    node->inputs[0].dtype = x.dtype();
    read_element(x, offset, node->inputs[0].number);
    bound(*node);
    return make_array(std::move(node));
  }
  const bool is_pending = !x.is_evaluated();
  Array result = copy(strided_view(x, {}, {}, offset));
  if (!is_pending) result.evaluate();
  return result;
}

void scatter(const Array& x, std::span<const Array> indices, int first_axis, const Operand& value,
             std::optional<Reduction> combine) {
  scatter_unchecked(x, indices, first_axis, value, true, combine);
}

void put_in_range(const Array& x, const Array& indices, const Operand& value) {
  scatter_unchecked(x, std::span(&indices, 1), 0, value, false);
}

void scatter_rows(const Array& x, const Array& indices, const Operand& value, Reduction combine) {
  if (x.ndim() != 2 || indices.ndim() != 2 || x.shape()[0] != indices.shape()[0])
    throw Error(ErrorKind::kValue, "scatter_rows",
                fmt::format("shapes {} and {}; the array and the indices need two dimensions, and "
                            "as many rows",
                            shape_text(x.shape()), shape_text(indices.shape())));
  check_destination(x);
  place_arrays("scatter_rows", {&x, &indices}, nullptr);
  Target t;
  t.shape.outer.push_back(x.shape()[0]);
  t.shape.outer_strides.push_back(x.strides()[0]);
  t.shape.own_indices = true;
  t.index_shape = t.result = indices.shape();
  Array wide = astype(on_queue(indices, x.queue()), DType::kInt64, false);
  if (x.strides()[1] != 1) wide = wide * Scalar(x.strides()[1]);
  t.offsets = wide.is_c_contiguous() && !input_of(wide).layout ? wide : copy(wide);
  scatter_into(x, t, value, false, combine);
}

std::vector<Array> first_of_runs(const Array& differs, std::span<const Array* const> of) {
  for (const Array* x : of)
    if (differs.ndim() != 1 || differs.size() == 0 || (x && x->shape() != Dims{differs.size() + 1}))
      throw Error(ErrorKind::kValue, "first_of_runs",
                  fmt::format("differs has shape {} and an array {}; differs needs an element, and "
                              "each array one more",
                              shape_text(differs.shape()),
                              x ? shape_text(x->shape()) : std::string("no shape")));
  return selected(differs, true, of, {differs.queue(), differs.usm_type()});
}

Array mask_select(const Array& x, const Array& mask, int first_axis, const Queue* queue) {
  check_mask(x, mask, first_axis);
  const Placed placed = place_arrays("mask", {&x, &mask}, queue);
  if (mask.ndim() == 0) {  // the result has one new axis, of extent 0 or 1
    const Array index = positions(reshape(on_queue(mask, placed.queue), Dims{1}));
    return gather_in_range("mask", expand_dims(x, first_axis), std::span(&index, 1), first_axis,
                           queue);
  }
  if (mask.ndim() == x.ndim() && mask.size() > 0) {
    const Array source = on_queue(x, placed.queue);
    return kept(on_queue(mask, placed.queue), &source, placed);
  }
  const Array places = positions(on_queue(mask, placed.queue));
  if (mask.size() > 0)
    if (const auto flat = with_one_axis(x, first_axis, mask.ndim()))
      return gather_in_range("mask", *flat, std::span(&places, 1), first_axis, queue);
  return gather_in_range("mask", x, split_positions(places, mask.shape()), first_axis, queue);
}

void mask_assign(const Array& x, const Array& mask, const Operand& value, int first_axis,
                 std::optional<Reduction> combine) {
  check_mask(x, mask, first_axis);
  check_destination(x);
  if (mask.ndim() == 0)  // it selects all or nothing of one new axis
    return mask_assign(expand_dims(x, first_axis), reshape(mask, Dims{1}), value, first_axis,
                       combine);
  Array stored = as_stored(value, x);
  if (stored.size() == 1) stored = reshape(stored, Dims{});
  const int after = x.ndim() - first_axis - mask.ndim();
  if (combine || stored.ndim() > after || mask.size() == 0) {
    if (mask.ndim() > 1 && mask.size() > 0)
      if (const auto flat = with_one_axis(x, first_axis, mask.ndim()))
        return mask_assign(*flat, reshape(mask, Dims{mask.size()}), stored, first_axis, combine);
    const std::vector<Array> indices = nonzero(mask);
    scatter_unchecked(x, indices, first_axis, stored, false, combine);
    return;
  }
  Array where = on_queue(mask, x.queue());
  for (int i = 0; i < after; ++i) where = expand_dims(where, where.ndim());
  Array mixed = hither::where(where, stored, x);
  assign_moved(x, std::move(mixed));
}

std::vector<Array> nonzero(const Array& x, const Queue* queue) {
  if (x.ndim() == 0)
    throw Error(ErrorKind::kValue, "nonzero",
                "a 0-d array has no axes to index; reshape it to (1,)");
  const Placed placed = place_arrays("nonzero", {&x}, queue);
  return split_positions(positions(astype(on_queue(x, placed.queue), DType::kBool, false)),
                         x.shape());
}

}  // namespace hither
