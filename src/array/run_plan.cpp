#include "array/run_plan.h"

#include <algorithm>

#include "array/emit/fused.h"
#include "array/emit/rows.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/form/divisor.h"
#include "array/kernel_call.h"
#include "array/plan/store.h"
#include "array/record/work_recorder.h"
#include "runtime/device_facts.h"
#include "runtime/kernel_state.h"

namespace hither::array {

namespace {

using Held = llvm::SmallVector<ValueRef, 4>;

void pack(KernelCall& call, const Cluster& c, std::span<char* const> outputs) {
  for (char* out : outputs) call.pointer(out);
  call.producers(c.form, c.binding);
  const auto integers = [&](const Dims& values) {
    for (int64_t v : values) call.integer(v);
  };
  const KernelForm& f = c.form;
  for (int i = 0; i < f.leaf_count; ++i)
    if (f.leaves[i].access != Access::kLinear) integers(c.space.leaf_strides[i]);
  if (f.root_strided) integers(c.space.root_strides);
  if (f.tile >= 0)
    integers(c.space.extents);
  else
    for (int d = 1; d <= f.rank - f.ranges; ++d) {
      const int64_t extent = c.space.extents[d];
      call.integer(extent);
      if (f.long_range) continue;
      const Divisor divisor(extent);
      call.integer(divisor.multiplier);
      call.integer(divisor.shift);
    }
}

// The range of a form with tiles: all other dimensions, then rows and columns of squares.
NdRange range_of_tiles(const KernelForm& f, const Dims& extents) {
  const int64_t side = f.tiles_in_groups ? group_tile_side(f) : kTileSide;
  const int64_t down = extents[f.tile], across = extents.back();
  const int64_t outer = extents.product() / (down * across);
  const int64_t squares_down = divide_up(down, side), squares_across = divide_up(across, side);
  if (!f.tiles_in_groups) return Range(outer, squares_down, squares_across);
  return {outer * squares_down * squares_across * kGroupTileItems, kGroupTileItems};
}

NdRange range_of(const KernelForm& f, const Dims& extents) {
  if (f.tile >= 0) return range_of_tiles(f, extents);
  const int ranges = std::min(f.rank, f.ranges), first = f.rank - ranges;
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

// Launches the kernel after the events `after`. It stores its outputs at `outputs`.
Event launch(const Cluster& c, const Queue& queue, std::span<char* const> outputs,
             std::span<const Event> after) {
  KeyText key("e2");
  c.form.append_key(key);
  const ReadyKernel kernel = find_kernel(
      queue, key.str(),
      [&] { return emit(c.form, runtime::facts_of(queue.device()).compiles_vectors_slowly); },
      [&] { return name_of(c.form); });
  KernelCall call;
  pack(call, c, outputs);
  for (const Event& event : after) call.after(event);
  return call.submit(queue, kernel, range_of(c.form, c.space.extents), c.bytes_moved(),
                     c.space.extents.product());
}

void pack(KernelCall& call, const RowCluster& r) {
  call.producers(r.form.nodes, r.binding);
  call.integer(r.rows);
  call.integer(r.plan.length);
  for (int d = 1; d < r.outer.size(); ++d) call.integer(r.outer[d]);
  for (int i = 0; i < r.form.nodes.leaf_count; ++i) {
    for (int64_t v : r.outer_strides[i]) call.integer(v);
    if (r.form.access[i] == RowAccess::kStrided) call.integer(r.lane_strides[i]);
  }
}

NdRange range_of(const RowCluster& r) {
  if (r.form.team == 0) return Range(r.rows);
  const int64_t items = items_of_group(r.form.team), teams = items / r.form.team;
  const int64_t rows = teams * r.form.side_by_side;
  return {Range(divide_up(r.rows, rows) * items), Range(items)};
}

// Stores the root in the memory of an operand that nothing else reads, if there is one. So
// `x += 1` takes no more memory than x. A recording allocates its memories anew at each run.
void run_one(const Cluster& c, Value& root) {
  Value* const operand = WorkRecorder::of_this_thread() ? nullptr : replaceable_operand(c, root);
  if (!operand) {
    allocate(root);
    return become_ready(root, run_into(c, root.queue, address_of(root), {}));
  }
  const Memory memory = operand->memory;
  const Event written = run_into(c, root.queue, address_of(*operand), {});
  root.memory = memory;
  become_ready(root, written);
}

void run_one(RowCluster& r, Value& root) {
  find_words(r);
  KeyText key("w4");
  r.form.append_key(key);
  const ReadyKernel kernel = find_kernel(
      root.queue, key.str(), [&] { return emit(r.form); }, [&] { return name_of(r.form.nodes); });
  KernelCall call;
  Held stored;
  for (int i = 0; i < r.form.nodes.output_count; ++i) {
    Value& v = r.output(i);
    allocate(v);
    call.writes(v.memory);
    stored.emplace_back(Shared{}, &v);
  }
  pack(call, r);
  call.walks(r.rows * r.plan.length);
  const Event event = call.submit(root.queue, kernel, range_of(r), bytes_moved(r));
  for (const ValueRef& v : stored) become_ready(*v, event);
}

void run_one(ReductionPlan& plan, Value&) { run_reduction(plan); }

// Throws WaitFirst before the recipe launches anything, if a launch would wait for the operands.
void wait_for_operands(const Value& root) {
  llvm::SmallVector<Event, kMaxInputs> written;
  for (int i = 0; i < root.input_count; ++i)
    if (const Value* v = root.inputs[i].value.get()) written.push_back(v->written);
  wait_first(root.queue, written);
}

void run_one(RecipePlan& plan, Value& root) {
  wait_for_operands(root);
  Operated operands[kMaxInputs];
  for (int i = 0; i < root.input_count; ++i) {
    const Input& in = root.inputs[i];
    if (plan.producers)
      operands[i] = {ValueRef(), 0, plan.producers.get(), plan.root};
    else if (const Cluster* copy = plan.copies[i].get())
      operands[i] = {
          run_copy(*copy, root.queue,
                   contiguous_layout(root.queue, in.value ? in.layout->shape : copy->space.extents),
                   in.dtype, UsmType::kDevice)};
    else
      operands[i] = {in.value, in.layout ? in.layout->offset : 0};
  }
  WorkRecorder* const recorder = WorkRecorder::of_this_thread();
  if (recorder) recorder->begin_recipe();
  root.recipe->launch(root, std::span(operands, root.input_count));
  if (recorder) recorder->end_recipe(root, std::span(operands, root.input_count));
  become_ready(root, root.written);
}

}  // namespace

Event run_into(const Cluster& c, const Queue& queue, char* root, std::span<const Event> after) {
  const int others = c.form.output_count - 1;
  char* outputs[kMaxOutputs];
  Held stored;
  for (int i = 0; i < others; ++i) {
    Value& v = c.output(i);
    allocate(v);
    outputs[i] = address_of(v);
    stored.emplace_back(Shared{}, &v);
  }
  outputs[others] = root;
  const Event event = launch(c, queue, std::span(outputs, c.form.output_count), after);
  for (const ValueRef& v : stored) become_ready(*v, event);
  return event;
}

ValueRef run_copy(const Cluster& c, const Queue& queue, LayoutRef layout, DType dtype,
                  UsmType usm_type) {
  const auto bytes = static_cast<size_t>(layout->size * size_of(dtype));
  ValueRef copy =
      memory_value(Memory::for_work(queue, bytes, usm_type), 0, std::move(layout), dtype);
  note_write(*copy, run_into(c, queue, address_of(*copy), {}));
  return copy;
}

void run(Plan& plan, Value& root) {
  if (WorkRecorder* const recorder = WorkRecorder::of_this_thread()) recorder->reads(root);
  if (root.layout->size > 0) return plan.visit([&](auto& one) { run_one(one, root); });
  allocate(root);
  become_ready(root, Event());
}

}  // namespace hither::array
