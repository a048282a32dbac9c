// Writing into arrays.
#include <cmath>

#include <fmt/format.h>

#include <hither/manipulate.h>

#include "array/assign.h"
#include "array/cluster.h"
#include "array/flush.h"
#include "array/placed.h"
#include "array/value.h"

namespace hither {

using namespace array;

namespace array {

Array without_leading_ones(const Array& value, int rank) {
  Dims axes;
  while (axes.size() < value.ndim() - rank && value.shape()[axes.size()] == 1)
    axes.push_back(axes.size());
  return axes.empty() ? value : squeeze(value, axes);
}

void check_destination(const Array& destination) {
  if (destination.layout()->read_only)
    throw Error(ErrorKind::kValue, "assign",
                "the destination was broadcast, or is a view of what was, and is read-only; copy "
                "it first, with copy(x)");
  if (destination.is_read_only())
    throw Error(ErrorKind::kValue, "assign",
                "the destination is read-only memory; copy it first, with copy(x)");
  for (int d = 0; d < destination.ndim() && destination.size() > 0; ++d)
    if (destination.strides()[d] == 0 && destination.shape()[d] > 1)
      throw Error(
          ErrorKind::kValue, "assign",
          fmt::format("axis {} of the destination repeats one element (it was broadcast); copy "
                      "it first, with copy(x)",
                      d));
}

ValueRef exclusive_value(const Array& destination, ValueRef target, uint32_t known, bool escaped) {
  if (escaped || target->reference_count() <= known + 1) return target;
  ValueRef own = detached_copy(*target, destination.queue());
  destination.storage()->rename(own);
  return own;
}

Scalar stored_scalar(const Scalar& s, DType dtype) {
  if (!is_integer(dtype) || s.kind() != Scalar::Kind::kFloat) return s;
  const double whole = std::trunc(s.real());
  std::optional<Scalar> stored;
  if (whole >= -0x1p63 && whole < 0x1p63)
    stored = Scalar(static_cast<int64_t>(whole));
  else if (whole >= 0 && whole < 0x1p64)
    stored = Scalar(static_cast<uint64_t>(whole));
  if (stored && stored->fits(dtype)) return *stored;
  throw Error(ErrorKind::kOverflow, "assign",
              fmt::format("the number {} does not fit {}; cast the array to a wider dtype first",
                          s.real(), name_of(dtype)));
}

}  // namespace array

namespace {

void check_source(const Array& destination, const Array& value) {
  if (is_complex(value.dtype()) && !is_complex(destination.dtype()))
    throw Error(ErrorKind::kType, "assign",
                fmt::format("{} cannot be stored in {}; take real(x) or imag(x)",
                            name_of(value.dtype()), name_of(destination.dtype())));
  const Dims shape = broadcast_shapes(destination.shape(), value.shape());
  if (!(shape == destination.shape()))
    throw Error(ErrorKind::kValue, "assign",
                fmt::format("shape {} does not broadcast to the destination's {}",
                            shape_text(value.shape()), shape_text(destination.shape())));
  if (value.queue() == destination.queue()) return;
  const runtime::PlacedArgument placed[] = {placed_argument(destination, "destination"),
                                            placed_argument(value, "value")};
  runtime::place("assign", placed, nullptr, nullptr);
}

Input number_for(const Scalar& s, DType dtype) {
  if (dtype == DType::kBool) return scalar_input(s, dtype);
  Input input;
  input.dtype = dtype;
  stored_scalar(s, dtype).write(dtype, input.number);
  return input;
}

// Memory of the storage, evaluated, that nothing pending reads except `node` itself, in place;
// copies the memory when something else does.
ValueRef writable_value(const Array& destination, ValueRef& node, bool escaped) {
  ValueRef target = destination.storage()->value();
  require_ready(*target);
  submit_unfusable_inputs(*node);
  ReadCount reads = count_reads(*node, *target, *destination.layout());
  if (reads.other > 0) {  // overlap: the value is computed in full before anything is written
    array::ready(*node);
    Input whole;
    whole.value = node;
    whole.dtype = node->dtype;
    node = cast_node(whole, node->layout, node->dtype, node->usm_type);
    reads = {};
  }
  return exclusive_value(destination, std::move(target), static_cast<uint32_t>(1 + reads.same),
                         escaped);
}

// Overwritten in full, and unread by what is written: the error of the last write ends here. That
// may never have been in its queue, whose earlier tasks may still use the memory.
void forget_failure(Value& node, Value& target, const Layout& layout) {
  if (count_reads(node, target, layout).same > 0) return;
  if (target.written.event().wait_for_error()) target.written = target.queue.submit_barrier();
}

// The value that assigning `input` to all of a storage names: `input`'s own when it fits as it is.
bool rename_to(const Array& destination, const Input& input) {
  const ValueRef& v = input.value;
  if (!v || input.layout || v->dtype != destination.dtype() ||
      v->usm_type != destination.usm_type() || !(v->queue == destination.queue()) ||
      v->memory.is_foreign())
    return false;
  destination.storage()->rename(v);
  return true;
}

void store(const Array& destination, Input input, bool source_escaped) {
  const bool escaped = destination.storage()->escaped.load(std::memory_order_acquire);
  const bool whole = !input_of(destination).layout;
  if (whole && !escaped && !source_escaped && rename_to(destination, input)) {
    if (eager()) submit(destination.storage()->present());
    return;
  }
  LayoutRef layout = destination.layout()->contiguous && destination.layout()->offset == 0
                         ? destination.layout()
                         : contiguous_layout(destination.queue(), destination.shape());
  // A value of the right dtype that is pending and unnamed is computed straight into its place.
  ValueRef node;
  if (input.value && !input.layout && input.value->is_pending() &&
      input.dtype == destination.dtype() && input.value->queue == destination.queue() &&
      input.value->kind != ValueKind::kRecipe &&
      input.value->names.load(std::memory_order_acquire) == 0)
    node = input.value;
  else
    node = cast_node(input, layout, destination.dtype(), destination.usm_type());
  input = Input();
  if (whole && !escaped) {
    destination.storage()->rename(node);
    if (eager() || source_escaped) submit(*node);
    if (source_escaped) settle(*node);
    return;
  }
  if (destination.size() == 0) return;
  // Its value may be of another queue (to_queue() shares storages), whose lock must not be taken
  // under this one's.
  Storage& storage = *destination.storage();
  submit(storage.present());
  heed_escaped(destination, destination.queue());
  if (whole) (void)storage.present().written.event().wait_for_error();  // see forget_failure()
  with_graph_lock(destination.queue(), [&] {
    const ValueRef target = writable_value(destination, node, escaped);
    if (whole) forget_failure(*node, *target, *destination.layout());
    submit_into(*node, *target, *destination.layout());
  });
  if (escaped || source_escaped) settle(storage.present());
}

}  // namespace

void assign(const Array& destination, const Operand& value) {
  check_destination(destination);
  if (!value.is_array()) {
    store(destination, number_for(value.scalar(), destination.dtype()), false);
    return;
  }
  if (value.array().ndim() > destination.ndim()) {
    const Array same = without_leading_ones(value.array(), destination.ndim());
    if (same.ndim() <= destination.ndim()) return assign(destination, same);
  }
  check_source(destination, value.array());
  bool escaped = false;
  store(destination,
        operand_input(value.array(), destination.layout(), destination.queue(), escaped), escaped);
}

void assign_moved(const Array& destination, Array&& value) {
  check_destination(destination);
  check_source(destination, value);
  bool escaped = false;
  Input input = operand_input(value, destination.layout(), destination.queue(), escaped);
  value = Array();
  store(destination, std::move(input), escaped);
}

}  // namespace hither
