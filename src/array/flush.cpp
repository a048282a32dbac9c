#include "array/flush.h"

#include <algorithm>
#include <cstring>
#include <functional>

#include <hither/native.h>

#include "array/cluster.h"
#include "array/divide_up.h"
#include "array/emit.h"
#include "array/emit_group_tiles.h"
#include "array/history.h"
#include "array/kernel_table.h"
#include "array/reduce_recipe.h"
#include "array/submit_rows.h"
#include "error/current_error.h"
#include "runtime/kernel_state.h"
#include "runtime/queue_state.h"

namespace hither::array {

namespace {

// Arguments of one launch, packed as target::Signature says.
class ArgumentPack {
 public:
  void pointer(const void* p) { slots_[count_++] = reinterpret_cast<uint64_t>(p); }
  void integer(int64_t v) { slots_[count_++] = static_cast<uint64_t>(v); }
  void number(const Number& n) {
    const int bytes = size_of(n.dtype);
    slots_[count_] = 0;
    std::memcpy(&slots_[count_], n.bytes, static_cast<size_t>(bytes));
    count_ += (bytes + 7) / 8;
  }
  std::span<const std::byte> bytes() const {
    return {reinterpret_cast<const std::byte*>(slots_), static_cast<size_t>(count_) * 8};
  }

 private:
  // Outputs, leaves, numbers (two slots each at most), and strides of every buffer.
  uint64_t slots_[kMaxOutputs + kMaxLeaves + 2 * kMaxNumbers + (kMaxLeaves + 2) * kMaxRank];
  int count_ = 0;
};

char* address(const Value& v) { return static_cast<char*>(v.memory.data()) + v.offset_bytes; }

char* leaf_address(const Leaf& leaf) {
  const int64_t offset = leaf.layout ? leaf.layout->offset : 0;
  return address(*leaf.value) + offset * size_of(leaf.dtype);
}

void pack(ArgumentPack& args, const Cluster& c, std::span<char* const> outputs) {
  for (char* out : outputs) args.pointer(out);
  for (int i = 0; i < c.leaf_count; ++i) args.pointer(leaf_address(c.leaves[i]));
  for (int i = 0; i < c.number_count; ++i) args.number(c.numbers[i]);
  auto strides = [&](const Dims& s) {
    for (int64_t v : s) args.integer(v);
  };
  for (int i = 0; i < c.leaf_count; ++i)
    if (c.leaves[i].access != Access::kLinear) strides(c.leaves[i].strides);
  if (c.root_strided) strides(c.root_strides);
  if (c.tile >= 0)
    strides(c.extents);
  else if (const int folded = c.extents.size() - c.ranges; folded > 0)
    for (int d = 0; d <= folded; ++d) args.integer(c.extents[d]);
}

// Tiles: everything else, then squares down and across.
NdRange range_of_tiles(const Cluster& c) {
  const int64_t side = c.tiles_in_groups ? group_tile_side(c) : kTileSide;
  const int64_t down = c.extents[c.tile], across = c.extents.back();
  const int64_t outer = c.extents.product() / (down * across);
  const int64_t squares_down = divide_up(down, side), squares_across = divide_up(across, side);
  if (!c.tiles_in_groups) return Range(outer, squares_down, squares_across);
  return {outer * squares_down * squares_across * kGroupTileItems, kGroupTileItems};
}

NdRange range_of(const Cluster& c) {
  if (c.tile >= 0) return range_of_tiles(c);
  const Dims& extents = c.extents;
  const int ranges = std::min(extents.size(), c.ranges), first = extents.size() - ranges;
  int64_t outer = 1;
  for (int d = 0; d <= first; ++d) outer *= extents[d];
  switch (ranges) {
    case 1:
      return Range(outer);
    case 2:
      return Range(outer, extents[first + 1]);
    default:
      return Range(outer, extents[first + 1], extents[first + 2]);
  }
}

// Runs a collected cluster. `outputs` are the addresses of its outputs in order.
Event launch(const Cluster& c, const Queue& queue, std::span<char* const> outputs,
             std::span<const Event> extra_dependencies) {
  KeyText key("e1");
  c.append_key(key);
  const ReadyKernel ready = find_kernel(
      queue, key.str(), [&] { return emit(c, runtime::target_of(queue.device()).kind); },
      [&] { return name_of_cluster(c); });
  ArgumentPack args;
  pack(args, c, outputs);
  std::vector<Event> depends(extra_dependencies.begin(), extra_dependencies.end());
  for (int i = 0; i < c.leaf_count; ++i)
    if (Event last = c.leaves[i].value->written; last.state()) depends.push_back(std::move(last));
  wait_first(queue, depends);
  const uint64_t start = ticks();
  Event event = queue.submit(ready.kernel, range_of(c), args.bytes(), depends);
  const uint64_t spent = ticks() - start;
  for (int i = 0; i < c.leaf_count; ++i) note_read(*c.leaves[i].value, event);
  record(ready, c.extents.product(), c.bytes_moved(), spent);
  return event;
}

/// Stores the pending values `beside` too: see collect().
void submit_elementwise(Value& root, std::span<Value* const> beside) {
  if (root.layout->size == 0) {
    allocate(root);
    become_ready(root, Event());
    return;
  }
  if (submit_rows(root) || (root.reduces && beside.empty() && submit_as_epilogue(root)))
    return become_ready(root, root.written);
  Cluster c;
  collect(c, root, nullptr, true, beside);
  char* outputs[kMaxOutputs];
  for (int i = 0; i < c.output_count; ++i) {
    Value& v = *c.nodes[c.outputs[i]];
    allocate(v);
    outputs[i] = address(v);
  }
  const Event event = launch(c, root.queue, std::span(outputs, c.output_count), {});
  for (int i = 0; i < c.output_count; ++i) become_ready(*c.nodes[c.outputs[i]], event);
}

void fail(Value& value, const Error& error) noexcept {
  value.error = error;
  value.memory = Memory();
  value.state.store(ValueState::kFailed, std::memory_order_release);
  for (Input& in : value.inputs) in = Input();
  value.recipe.reset();
}

void set_written(Value& value, const Event& event) {
  value.written = event;
  if (event.state()) value.memory.release_after(event);
}

}  // namespace

void allocate(Value& value) {
  const int64_t bytes = value.layout->size * size_of(value.dtype);
  value.memory = Memory::for_work(value.queue, static_cast<size_t>(bytes), value.usm_type);
  value.offset_bytes = 0;
}

void become_ready(Value& value, const Event& written) noexcept {
  set_written(value, written);
  value.state.store(ValueState::kReady, std::memory_order_release);
  for (int i = 0; i < value.input_count; ++i) value.inputs[i] = Input();
  value.recipe.reset();
}

void note_read(Value& value, const Event& event) {
  if (!event.state()) return;
  value.memory.release_after(event);
  std::lock_guard guard(value.reads_lock);
  std::erase_if(value.reads, [&](const Event& e) { return runtime::makes_needless(event, e); });
  value.reads.push_back(event);
}

void note_write(Value& value, const Event& event) {
  set_written(value, event);
  std::lock_guard guard(value.reads_lock);
  value.reads.clear();
}

void note_write(Value& value, const Event& event, std::span<const Event> after) {
  set_written(value, event);
  const auto is_before = [&](const Event& read) {
    return std::ranges::any_of(after, [&](const Event& e) { return e.state() == read.state(); }) ||
           read.is_complete();
  };
  std::lock_guard guard(value.reads_lock);
  std::erase_if(value.reads, is_before);
}

void append_reads(Value& value, std::vector<Event>& events) {
  std::lock_guard guard(value.reads_lock);
  for (const Event& e : value.reads)
    if (!e.is_complete()) events.push_back(e);
}

ValueRef detached_copy(Value& value, const Queue& queue) {
  const size_t bytes = value.memory.bytes();
  const Event depends[] = {value.written};
  wait_first(queue, depends);
  const Memory fresh(queue, bytes, value.usm_type);
  const Event copied = queue.copy(fresh.data(), value.memory.data(), bytes, depends);
  note_read(value, copied);
  ValueRef copy = memory_value(fresh, value.offset_bytes, value.layout, value.dtype);
  note_write(*copy, copied);
  return copy;
}

void require_ready(const Value& value) {
  if (value.state.load(std::memory_order_acquire) == ValueState::kFailed) throw *value.error;
}

Value& operand_in_order(Input& in, int64_t size, const Queue& queue) {
  if (!in.value || (in.layout && !in.layout->contiguous)) {
    LayoutRef layout = contiguous_layout(queue, in.value ? in.layout->shape : Dims{size});
    ValueRef copy = cast_node(in, std::move(layout), in.dtype, UsmType::kDevice);
    if (!in.value) copy->kind = ValueKind::kConstant;
    in.value = std::move(copy);
    in.layout = LayoutRef();
  }
  return ready(*in.value);
}

void wait_first(const Queue& queue, std::span<const Event> dependencies) {
  if (dependencies.empty() || !queue.state()->driver->submission_waits()) return;
  WaitFirst first;
  for (const Event& e : dependencies)
    if (!e.is_complete()) first.events.push_back(e);
  if (!first.events.empty()) throw first;
}

void submit(Value& v) noexcept {
  with_graph_lock(v.queue, [&] { submit_locked(v); });
}

namespace {

/// Those of `others`, none of which reads `v`, that one kernel can compute with it.
llvm::SmallVector<Value*, 8> companions(Value& v, std::span<const ValueRef> others) {
  llvm::SmallVector<Value*, 8> found;
  if (!v.is_pending() || v.kind == ValueKind::kRecipe || has_unfusable_inputs(v)) return found;
  int ops = v.ops, leaves = v.leaves;
  for (const ValueRef& other : others) {
    Value& w = *other;
    if (&w == &v || !w.is_pending() || w.kind == ValueKind::kRecipe || !(w.queue == v.queue) ||
        w.shape() != v.shape() || ops + w.ops > kMaxNodes || leaves + w.leaves > kMaxLeaves ||
        has_unfusable_inputs(w))
      continue;
    ops += w.ops;
    leaves += w.leaves;
    found.push_back(&w);
  }
  return found;
}

/// Whether `v` was submitted with others. Nothing has failed when not.
bool submit_with(Value& v, std::span<const ValueRef> others) {
  const auto beside = companions(v, others);
  if (beside.empty()) return false;
  try {
    submit_elementwise(v, beside);
    return true;
  } catch (const WaitFirst&) {
    throw;
  } catch (...) {
    return false;  // by itself each value gets its own error
  }
}

}  // namespace

void submit(std::span<const ValueRef> values) noexcept {
  // Readers first: what they read is stored on the way to them.
  std::vector<ValueRef> sorted(values.begin(), values.end());
  std::ranges::stable_sort(sorted, std::greater<>(), [](const ValueRef& v) { return v->height; });
  for (size_t i = 0; i < sorted.size(); ++i)
    with_graph_lock(sorted[i]->queue, [&] {
      if (!submit_with(*sorted[i], std::span(sorted).subspan(i + 1))) submit_locked(*sorted[i]);
    });
}

void submit_locked(Value& v) {
  if (!v.is_pending()) return;
  try {
    if (v.kind == ValueKind::kRecipe) {
      v.recipe->submit(v);
      become_ready(v, v.written);
    } else {
      submit_elementwise(v, {});
    }
  } catch (const WaitFirst&) {
    throw;
  } catch (...) {
    fail(v, error::current_error("array"));
  }
}

Value& ready(Value& value) {
  submit_locked(value);
  require_ready(value);
  return value;
}

void submit_into(Value& value, Value& destination, const Layout& layout) {
  Cluster c;
  collect(c, value, &layout, true);
  char* outputs[kMaxOutputs];
  for (int i = 0; i + 1 < c.output_count; ++i) {
    Value& v = *c.nodes[c.outputs[i]];
    allocate(v);
    outputs[i] = address(v);
  }
  outputs[c.output_count - 1] = address(destination) + layout.offset * size_of(value.dtype);
  std::vector<Event> depends;
  append_reads(destination, depends);
  if (Event last = destination.written; last.state()) depends.push_back(std::move(last));
  const Event event = launch(c, value.queue, std::span(outputs, c.output_count), depends);
  for (int i = 0; i + 1 < c.output_count; ++i) become_ready(*c.nodes[c.outputs[i]], event);
  note_write(destination, event);
}

void heed_others(Value& value, const Queue* by) {
  if (!is_shared(value.queue)) return;
  if (by && *by == value.queue && !value.queue.state()->driver->stream())
    return await_others(value.queue);
  value.written = work_of_others(value.queue, value.written);
}

bool heed_escaped(const Array& x, const Queue& by) {
  if (!x.storage()->escaped.load(std::memory_order_acquire)) return false;
  heed_others(x.storage()->present(), &by);
  return true;
}

void settle(const Value& value) noexcept {
  if (value.state.load(std::memory_order_acquire) != ValueState::kReady) return;
  const Event written = value.written;
  if (value.memory.host_accessible()) {
    (void)written.wait_for_error();
    return;
  }
  if (!is_shared(value.queue) || !value.queue.state()->driver->stream()) return;
  try {
    value.queue.state()->driver->let_wait(nullptr, std::span(&written, 1));
  } catch (...) {  // a lost context: others find out by themselves
  }
}

}  // namespace hither::array
