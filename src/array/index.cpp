// Indexing with integer arrays and masks.
#include <hither/index.h>

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>

#include "array/assign.h"
#include "array/compress.h"
#include "array/device_check.h"
#include "array/flush.h"
#include "array/gather.h"
#include "array/placed.h"
#include "array/record/work_recorder.h"
#include "runtime/interruptible_wait.h"
#include "runtime/queue_state.h"

namespace hither {

using namespace array;

namespace {

void check_indices(std::string_view where, const Array& x, std::span<const Array> indices,
                   int first_axis) {
  const int count = static_cast<int>(indices.size());
  if (count == 0 || first_axis < 0 || first_axis + count > x.ndim())
    throw Error(ErrorKind::kIndex, std::string(where),
                fmt::format("{} index arrays from axis {} on, the array has {} dimensions", count,
                            first_axis, x.ndim()));
  for (int i = 0; i < count; ++i)
    if (!is_integer(indices[static_cast<size_t>(i)].dtype()))
      throw Error(ErrorKind::kType, std::string(where),
                  fmt::format("the index array of axis {} is {}; it must be an integer dtype",
                              first_axis + i, name_of(indices[static_cast<size_t>(i)].dtype())));
}

// Finds the index that the error message names.
[[noreturn]] void refuse(std::string_view where, const Array& index, int axis, int64_t extent) {
  std::vector<int64_t> all(static_cast<size_t>(index.size()));
  to_host(astype(index, DType::kInt64, false), all.data());
  const bool is_unsigned = index.dtype() == DType::kUInt64;  // 2^63 and more are negative here
  const auto wrong = std::ranges::find_if(
      all, [&](int64_t i) { return i >= extent || i < (is_unsigned ? 0 : -extent); });
  const int64_t value = wrong == all.end() ? 0 : *wrong;
  const std::string found =
      is_unsigned ? fmt::format("{}", static_cast<uint64_t>(value)) : fmt::format("{}", value);
  throw Error(
      ErrorKind::kIndex, std::string(where),
      fmt::format("index {} is out of bounds for axis {} with size {}", found, axis, extent));
}

bool holds_somewhere(const Array& condition) {
  bool found = false;
  Recorder::refuse("indices are checked on the host");
  const Array all = any(condition);
  read_element(all, 0, &found);
  return found;
}

// The indices as int64, counted from the start. Throws if one is out of range. An escaped array is
// copied first, so that the checked indices are those that are read.
Array from_start(std::string_view where, const Array& given, int axis, int64_t extent) {
  const Array index = synchronise_if_escaped(given, given.queue()) ? copy(given) : given;
  Array wide = astype(index, DType::kInt64, false);
  if (index.size() == 0 ||
      (DeviceCheck::suits(index.queue()) && DeviceCheck::of_indices(index, extent).holds()))
    return wide;
  const auto compared = [&](Op op, int64_t with) {
    const Operand both[] = {index, Scalar(with)};
    return apply(op, both);
  };
  const bool is_signed = kind_of(index.dtype()) == DTypeKind::kInt;
  const Array above = compared(Op::greater_equal, extent);
  if (!holds_somewhere(is_signed ? compared(Op::less, 0) | above : above)) return wide;
  if (!is_signed || holds_somewhere(compared(Op::less, -extent) | above))
    refuse(where, index, axis, extent);
  return hither::where(wide < 0, wide + Scalar(extent), wide);
}

/// The checked arguments of a read or write through integer arrays.
struct Target {
  GatherShape shape;
  Dims index_shape;
  Dims result;    ///< outer, indices, inner
  Array offsets;  ///< int64, of index_shape, evaluated or pending; or the index array itself
};

// An IndexError, as in NumPy, for index arrays whose shapes do not fit.
Dims broadcast_indices(const Dims& a, const Dims& b) try {
  return broadcast_shapes(a, b);
} catch (const Error& error) {
  throw Error(ErrorKind::kIndex, "index", error.message());
}

// Without the offsets.
Target shapes_of(std::string_view where, const Array& x, std::span<const Array> indices,
                 int first_axis) {
  Target t;
  const int count = static_cast<int>(indices.size()), after = first_axis + count;
  for (int d = 0; d < x.ndim(); ++d) {
    if (d >= first_axis && d < after) continue;
    (d < first_axis ? t.shape.outer : t.shape.inner).push_back(x.shape()[d]);
    (d < first_axis ? t.shape.outer_strides : t.shape.inner_strides).push_back(x.strides()[d]);
  }
  for (const Array& i : indices) t.index_shape = broadcast_indices(t.index_shape, i.shape());
  if (x.ndim() - count + t.index_shape.size() > kMaxRank)
    throw Error(ErrorKind::kValue, std::string(where),
                fmt::format("the result would have more than {} dimensions", kMaxRank));
  for (int64_t n : t.shape.outer) t.result.push_back(n);
  for (int64_t n : t.index_shape) t.result.push_back(n);
  for (int64_t n : t.shape.inner) t.result.push_back(n);
  return t;
}

Target target_of(std::string_view where, const Array& x, std::span<const Array> indices,
                 int first_axis, const Placed& placed, bool check) {
  Target t = shapes_of(where, x, indices, first_axis);
  int64_t lowest = 0, reach = 0, steps = 0;
  for (int k = 0; k < static_cast<int>(indices.size()); ++k) {
    const Array index = on_queue(indices[static_cast<size_t>(k)], placed.queue);
    const int64_t extent = x.shape()[first_axis + k], stride = x.strides()[first_axis + k];
    if (extent > 1) {
      steps = std::gcd(steps, stride);
      lowest += std::min<int64_t>(0, (extent - 1) * stride);
      reach += (extent - 1) * std::abs(stride);
    }
    Array wide = check ? from_start(where, index, first_axis + k, extent)
                       : astype(index, DType::kInt64, false);
    if (stride != 1) wide = wide * Scalar(stride);
    t.offsets = k == 0 ? wide : t.offsets + wide;
  }
  if (steps > 0) {
    t.shape.first = lowest;
    t.shape.step = steps;
    t.shape.slots = reach / steps + 1;
  }
  if (!(t.offsets.shape() == t.index_shape) || !t.offsets.is_c_contiguous() ||
      input_of(t.offsets).layout)
    t.offsets = copy(broadcast_to(t.offsets, t.index_shape));
  return t;
}

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

Array gather_with(Trust trust, std::string_view where, const Array& x,
                  std::span<const Array> indices, int first_axis, const Queue* queue) {
  check_indices(where, x, indices, first_axis);
  const Placed placed = place_indexed(where, x, indices, queue);
  const Array source = on_queue(x, placed.queue);
  Target t = target_of(where, source, indices, first_axis, placed, trust == Trust::kNone);
  t.shape.clamped = trust == Trust::kChecking;
  return read_through(source, t.offsets, t.shape, t.result, placed);
}

// Whether the kernel that reads x checks its indices. On GPUs only where reading them twice takes
// longer than the host would wait less.
bool checks_inside(const Queue& queue, const Array& x, const Array& index) {
  constexpr int64_t kManyOnGpus = int64_t{1} << 20;
  if (x.size() == 0 || !x.is_evaluated()) return false;
  if (DeviceCheck::suits(queue)) return index.size() >= kManyOnGpus;
  return index.size() > 0 && queue.state()->driver->submission_waits();
}

// The read of one axis by a kernel that checks its indices. Nothing if one is out of range. `shape`
// has the other axes.
std::optional<Array> checked_inside(const Array& x, const Array& index, int axis, GatherShape shape,
                                    const Dims& result, const Placed& placed) {
  Recorder::refuse("indices are checked on the host");
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
                                        const Placed& placed, const Queue* queue) {
  std::vector<Array> own;
  std::vector<DeviceCheck> checks;
  for (const Array& given : indices) {
    own.push_back(readable(given, placed));
    checks.push_back(DeviceCheck::of_indices(
        own.back(), x.shape()[first_axis + static_cast<int>(checks.size())]));
  }
  const Array result = gather_with(Trust::kChecking, where, x, own, first_axis, queue);
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
    read = checked_inside(source, readable(indices[0], placed), first_axis, std::move(t.shape),
                          t.result, placed);
  } else if (DeviceCheck::suits(placed.queue) && x.size() > 0 && x.is_evaluated() &&
             std::ranges::all_of(indices, [](const Array& i) { return i.size() > 0; })) {
    read = read_while_checked(where, x, indices, first_axis, placed, queue);
  }
  return read ? *read : gather_with(Trust::kNone, where, x, indices, first_axis, queue);
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
    if (auto read =
            checked_inside(x, readable(indices, placed), last, shape, indices.shape(), placed))
      return *read;
  Array offsets = from_start("take_along_axis", on_queue(indices, placed.queue), last, extent);
  if (stride != 1) offsets = offsets * Scalar(stride);
  if (input_of(offsets).layout) offsets = copy(offsets);
  return read_through(x, offsets, std::move(shape), indices.shape(), placed);
}

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

}  // namespace

Array element(const Array& x) { return element(x, Dims(x.ndim(), 0)); }

Array element(const Array& x, std::span<const int64_t> index) {
  const Layout& layout = *x.layout();
  int64_t offset = 0;
  for (int d = 0; d < layout.shape.size(); ++d) {
    const int64_t extent = layout.shape[d], i = index[static_cast<size_t>(d)];
    if (i < -extent || i >= extent)
      throw Error(ErrorKind::kIndex, "index",
                  fmt::format("index {} is out of bounds for axis {} with size {}", i, d, extent));
    offset += (i < 0 ? i + extent : i) * layout.strides[d];
  }
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

Array gather(const Array& x, std::span<const Array> indices, int first_axis, const Queue* queue) {
  return gather_checked("index", x, indices, first_axis, queue);
}

Array take(const Array& x, const Array& indices, int axis, const Queue* queue) {
  return gather_checked("take", x, std::span(&indices, 1), normalize_axis(axis, x.ndim(), "take"),
                        queue);
}

Array take_in_range(const Array& x, const Array& indices, int axis) {
  return gather_with(Trust::kAll, "take", x, std::span(&indices, 1),
                     normalize_axis(axis, x.ndim(), "take"), nullptr);
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
  return gather_with(Trust::kAll, "take_along_axis", x, all, 0, queue);
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
    return gather_with(Trust::kAll, "mask", expand_dims(x, first_axis), std::span(&index, 1),
                       first_axis, queue);
  }
  if (mask.ndim() == x.ndim() && mask.size() > 0) {
    const Array source = on_queue(x, placed.queue);
    return kept(on_queue(mask, placed.queue), &source, placed);
  }
  const std::vector<Array> indices =
      split_positions(positions(on_queue(mask, placed.queue)), mask.shape());
  return gather_with(Trust::kAll, "mask", x, indices, first_axis, queue);
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
