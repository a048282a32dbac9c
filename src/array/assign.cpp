// Writing into arrays.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "array/assign.h"
#include "array/cluster.h"
#include "array/flush.h"
#include "array/value.h"
#include "runtime/placement.h"

namespace hither {

using namespace array;

namespace array {

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
  const size_t bytes = target->memory.bytes();
  Memory fresh(destination.queue(), bytes, target->usm_type);
  const Event depends[] = {target->written};
  const Event copied =
      destination.queue().copy(fresh.data(), target->memory.data(), bytes, depends);
  note_read(*target, copied);
  ValueRef own = memory_value(fresh, target->offset_bytes, target->layout, target->dtype);
  own->written = copied;
  destination.storage()->rename(own);
  return own;
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
    throw Error(
        ErrorKind::kValue, "assign",
        fmt::format("shape ({}) does not broadcast to the destination's ({})",
                    fmt::join(value.shape().begin(), value.shape().end(), ", "),
                    fmt::join(destination.shape().begin(), destination.shape().end(), ", ")));
  if (value.queue() == destination.queue()) return;
  runtime::PlacedArgument placed[2];
  const Array* arrays[2] = {&destination, &value};
  const std::string_view names[2] = {"destination", "value"};
  for (int i = 0; i < 2; ++i) {
    placed[i].kind = runtime::ArgumentKind::kUsmArray;
    placed[i].queue = &arrays[i]->queue();
    placed[i].usm_type = arrays[i]->usm_type();
    placed[i].name = names[i];
    placed[i].type_name = "hither.Array";
  }
  runtime::place("assign", placed, nullptr, nullptr);
}

Input number_for(const Scalar& s, DType dtype) {
  if (is_integer(dtype) && s.kind() == Scalar::Kind::kFloat) {
    // As NumPy does in x[...] = 1.5: the number is truncated.
    return scalar_input(Scalar(static_cast<int64_t>(s.real())), dtype);
  }
  if (dtype == DType::kBool) return scalar_input(s, dtype);
  Input input;
  input.dtype = dtype;
  s.write(dtype, input.number);
  return input;
}

// Memory of the storage that nothing pending reads except `node` itself, in place; copies the
// memory when something else does.
ValueRef writable_value(const Array& destination, ValueRef& node, bool escaped) {
  ValueRef target = destination.storage()->value();
  if (target->is_pending()) submit(*target);
  require_ready(*target);
  submit_unfusable_inputs(*node);
  ReadCount reads = count_reads(*node, *target, *destination.layout());
  if (reads.other > 0) {  // overlap: the value is computed in full before anything is written
    submit(*node);
    require_ready(*node);
    Input ready;
    ready.value = node;
    ready.dtype = node->dtype;
    node = cast_node(ready, node->layout, node->dtype, node->usm_type);
    reads = {};
  }
  return exclusive_value(destination, std::move(target), static_cast<uint32_t>(1 + reads.same),
                         escaped);
}

// Overwritten in full, and unread by what is written: the error of the last write ends here.
void forget_failure(Value& node, Value& target, const Layout& layout) {
  if (count_reads(node, target, layout).same > 0) return;
  if (target.written.wait_for_error()) target.written = Event();
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
    return;
  }
  if (destination.size() == 0) return;
  std::lock_guard guard(graph_lock(destination.queue()));
  const ValueRef target = writable_value(destination, node, escaped);
  if (whole) forget_failure(*node, *target, *destination.layout());
  submit_into(*node, *target, *destination.layout());
  if (escaped) settle(*target);
}

}  // namespace

void assign(const Array& destination, const Operand& value) {
  check_destination(destination);
  if (!value.is_array()) {
    store(destination, number_for(value.scalar(), destination.dtype()), false);
    return;
  }
  check_source(destination, value.array());
  bool escaped = false;
  LayoutRef shape = destination.layout();
  store(destination, operand_input(value.array(), shape, destination.queue(), escaped), escaped);
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
