// Writing into arrays.
#include <cmath>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include <hither/index.h>
#include <hither/manipulate.h>

#include "array/assign.h"
#include "array/flush.h"
#include "array/graph/value.h"
#include "array/placed.h"
#include "array/plan/store.h"
#include "array/record/work_recorder.h"
#include "array/run_plan.h"
#include "runtime/event_state.h"
#include "runtime/memory_state.h"

namespace hither {

using namespace array;

namespace array {

int64_t element_offset(const Layout& layout, std::span<const int64_t> index) {
  int64_t offset = 0;
  for (int d = 0; d < layout.shape.size(); ++d) {
    const int64_t extent = layout.shape[d], i = index[static_cast<size_t>(d)];
    if (i < -extent || i >= extent)
      throw Error(ErrorKind::kIndex, "index",
                  fmt::format("index {} is out of bounds for axis {} with size {}", i, d, extent));
    offset += (i < 0 ? i + extent : i) * layout.strides[d];
  }
  return offset;
}

Array without_leading_ones(const Array& value, int rank) {
  Dims axes;
  while (axes.size() < value.ndim() - rank && value.shape()[axes.size()] == 1)
    axes.push_back(axes.size());
  return axes.empty() ? value : squeeze(value, axes);
}

void check_destination(const Array& destination) {
  if (WorkRecorder* const recorder = WorkRecorder::of_this_thread()) recorder->writes(destination);
  if (destination.layout()->read_only)
    throw Error(ErrorKind::kValue, "assign",
                "the destination is read-only: it is a broadcast array or a view of one, or its "
                "flags.writeable is False; copy it first, with copy(x)");
  if (destination.is_read_only())
    throw Error(ErrorKind::kValue, "assign",
                "the destination is read-only memory; copy it first, with copy(x)");
  for (int d = 0; d < destination.ndim() && destination.size() > 0; ++d)
    if (destination.strides()[d] == 0 && destination.shape()[d] > 1)
      throw Error(
          ErrorKind::kValue, "assign",
          fmt::format(
              "axis {} of the destination repeats one element, because it was broadcast; copy "
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
  Recorder::depend_on(s);
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

// The value that Python assigns after `x[key] += y`.
bool is_same_view(const Array& x, const Array& y) {
  const Layout &a = *x.layout(), &b = *y.layout();
  return x.storage() == y.storage() && x.dtype() == y.dtype() && a.offset == b.offset &&
         a.shape == b.shape && a.strides == b.strides;
}

Input number_for(const Scalar& s, DType dtype) {
  if (dtype == DType::kBool) return scalar_input(s, dtype);
  Input input;
  input.dtype = dtype;
  const Scalar stored = stored_scalar(s, dtype);
  stored.write(dtype, input.number);
  input.symbol = stored.symbol();
  return input;
}

// Plans the store of `node`. If it cannot run in place, `node` is evaluated first. Returns the
// number of references to the target that the plan's nodes hold.
uint32_t plan_store(std::optional<Cluster>& cluster, Value& node, const Value& target,
                    const Layout& layout) {
  while (node.is_pending()) {
    Planner planner(node.queue);
    if (plan_fused(cluster.emplace(), planner, node, &layout, {})) {
      if (const auto held = plan_in_place(*cluster, target, layout)) return *held;
      planner.need(node);
    }
    for (const ValueRef& first : planner.needs) submit_locked(*first);
  }
  require_ready(node);
  plan_copy(cluster.emplace(), {&node, nullptr}, node.dtype, node.dtype, node.shape(), &layout,
            node.queue);
  return 0;
}

// Clears the error of the last write: the target is overwritten in full, and the new value does not
// read it. The failed task may not have been submitted to the queue, so a barrier orders the write
// after earlier tasks that may still use the memory.
void forget_failure(Value& target) {
  if (target.written.event().wait_for_error()) target.written = target.queue.submit_barrier();
}

// Runs the cluster, whose root is stored in the elements of `target` at `layout`, after all uses of
// the target.
Event store_into(const Cluster& cluster, const Queue& queue, Value& target, const Layout& layout) {
  std::vector<Event> after;
  append_reads(target, after);
  if (Event last = target.written; last.state()) after.push_back(std::move(last));
  char* const first =
      address_of(target) + layout.offset * size_of(cluster.form.dtype_of(cluster.form.root()));
  return run_into(cluster, queue, first, after);
}

// Stores `node` in the elements of the destination, whose value is evaluated. It is stored in place
// if nothing else needs the old elements, else in a copy of the memory, which the storage then
// names. `whole`: the node covers all of the memory. Under the graph lock.
void store_in_place(const Array& destination, Value& node, bool whole, bool escaped) {
  ValueRef target = destination.storage()->value();
  require_ready(*target);
  const Layout& layout = *destination.layout();
  std::optional<Cluster> cluster;
  const uint32_t held = plan_store(cluster, node, *target, layout);
  target = exclusive_value(destination, std::move(target), 1 + held, escaped);
  if (whole && held == 0) forget_failure(*target);
  note_write(*target, store_into(*cluster, destination.queue(), *target, layout));
}

/// An array whose elements at a layout are those of another value. It stores the other value in the
/// array's memory where nothing else needs that, else in a copy.
class Insertion final : public Recipe {
 public:
  explicit Insertion(LayoutRef at) : at_(std::move(at)) {}

  const Layout* inserts_at() const noexcept override { return at_.get(); }
  std::string describe(const Value&) const override { return "insert"; }

  void launch(Value& value, std::span<const Operated> operands) const override {
    ValueRef target = operands[0].value;
    std::optional<Cluster> cluster;
    const uint32_t held = plan_store(cluster, *operands[1].value, *target, *at_);
    constexpr uint32_t kOwn = 3;  // of the value, the operands and `target`
    if (target->reference_count() > kOwn + held) target = detached_copy(*target, value.queue);
    value.written = store_into(*cluster, value.queue, *target, *at_);
    value.memory = target->memory;
    value.offset_bytes = target->offset_bytes;
  }

 private:
  LayoutRef at_;
};

// Inserts `node` into the pending value of a storage when that is computed, if nothing else refers
// to the value. Returns whether it will.
bool insert_later(const Array& destination, const ValueRef& node) {
  Storage& storage = *destination.storage();
  const Value& base = storage.present();
  if (eager() || Recorder::is_active() || WorkRecorder::of_this_thread() || !base.is_pending() ||
      !base.is_elementwise() || base.reference_count() > 1 || base.dtype != destination.dtype() ||
      !(base.queue == destination.queue()) || !(node->queue == base.queue))
    return false;
  ValueRef whole =
      make_node(ValueKind::kRecipe, base.layout, base.dtype, base.dtype, base.usm_type);
  const ValueRef values[] = {storage.value(), node};
  whole->input_count = 2;
  for (int i = 0; i < 2; ++i) {
    whole->inputs[i].value = values[i];
    whole->inputs[i].dtype = base.dtype;
  }
  whole->recipe = std::make_unique<Insertion>(destination.layout());
  bound(*whole);
  storage.rename(std::move(whole));
  return true;
}

// Makes a storage name the value of `input` if an assignment to the whole storage can share it.
bool rename_to(const Array& destination, const Input& input) {
  const ValueRef& v = input.value;
  if (!v || input.layout || v->dtype != destination.dtype() ||
      v->usm_type != destination.usm_type() || !(v->queue == destination.queue()) ||
      v->memory.is_foreign())
    return false;
  destination.storage()->rename(v);
  return true;
}

// Stores a number in the element at this offset without a kernel, if the host reaches the evaluated
// memory and nothing else still reads or writes it. Returns whether it did.
bool store_number(const Array& destination, int64_t offset, const Input& number) {
  const Queue& queue = destination.queue();
  Storage& storage = *destination.storage();
  if (number.dtype != destination.dtype() || !runtime::shares_memory_with_host(queue) ||
      storage.escaped.load(std::memory_order_acquire) || Recorder::is_active())
    return false;
  const GraphGuard guard(queue);
  Value& value = storage.present();
  if (value.state.load(std::memory_order_acquire) != ValueState::kReady ||
      value.reference_count() > 1 || !(value.queue == queue))
    return false;
  std::vector<Event> unfinished;
  append_reads(value, unfinished);
  const Event written = value.written.event();
  if (!unfinished.empty() || !written.is_complete() ||
      (written.state() && written.state()->error()))
    return false;
  const int64_t bytes = size_of(destination.dtype());
  std::memcpy(address_of(value) + offset * bytes, number.number, static_cast<size_t>(bytes));
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
  // A pending value of the right dtype to which there is no other reference is computed directly
  // into the destination.
  ValueRef node;
  if (input.value && !input.layout && input.value->is_pending() &&
      input.dtype == destination.dtype() && input.value->queue == destination.queue() &&
      input.value->is_elementwise() && input.value->reference_count() == 1)
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
  if (!escaped && !source_escaped && insert_later(destination, node)) return;
  // The destination's value may belong to another queue, because to_queue() shares storages. The
  // lock of that queue must not be taken while this one's is held.
  Storage& storage = *destination.storage();
  submit(storage.present());
  synchronise_if_escaped(destination, destination.queue());
  // This waits, so it happens before the lock is taken: see forget_failure().
  if (whole) (void)storage.present().written.event().wait_for_error();
  with_graph_lock(destination.queue(), [&] { store_in_place(destination, *node, whole, escaped); });
  if (escaped || source_escaped) settle(storage.present());
}

}  // namespace

void assign(const Array& destination, const Operand& value) {
  check_destination(destination);
  if (!value.is_array()) {
    const Input number = number_for(value.scalar(), destination.dtype());
    if (destination.size() != 1 || !store_number(destination, destination.layout()->offset, number))
      store(destination, number, false);
    return;
  }
  if (value.array().ndim() > destination.ndim()) {
    const Array same = without_leading_ones(value.array(), destination.ndim());
    if (same.ndim() <= destination.ndim()) return assign(destination, same);
  }
  check_source(destination, value.array());
  if (is_same_view(destination, value.array())) return;
  bool escaped = false;
  Input input = operand_input(value.array(), destination.layout(), destination.queue(), escaped);
  store(destination, std::move(input), escaped);
}

bool store_element(const Array& destination, std::span<const int64_t> index, const Scalar& value) {
  if (destination.is_read_only() || WorkRecorder::of_this_thread()) return false;
  const Layout& layout = *destination.layout();
  const int64_t offset = layout.offset + element_offset(layout, index);
  return store_number(destination, offset, number_for(value, destination.dtype()));
}

Unstored::Unstored(const Array* x) {
  if (!x || x->is_evaluated() || x->storage()->reference_count() > 1) return;
  hidden_ = x->storage();
  hidden_->hide(true);
}

Unstored::~Unstored() {
  if (hidden_) hidden_->hide(false);
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
