#include "array/flush.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>

#include <hither/native.h>
#include <hither/stream.h>

#include "array/plan/epilogue.h"
#include "array/plan/plan.h"
#include "array/record/work_recorder.h"
#include "array/run_plan.h"
#include "error/current_error.h"
#include "runtime/memory_state.h"
#include "runtime/queue_interop.h"
#include "runtime/queue_state.h"

namespace hither::array {

namespace {

void fail(Value& value, const Error& error) noexcept {
  value.error = error;
  value.memory = Memory();
  value.state.store(ValueState::kFailed, std::memory_order_release);
  for (Input& in : value.inputs) in = Input();
  value.reduce.reset();
  value.recipe.reset();
}

void set_written(Value& value, const Event& event) {
  value.written = event;
  if (event.state()) value.memory.release_after(event);
}

}  // namespace

ValueRef evaluated(const Array& x) {
  const Array dense = input_of(x).layout ? copy(x) : x;
  ValueRef v = dense.storage()->value();
  submit(*v);
  require_ready(*v);
  return v;
}

void allocate(Value& value) {
  const int64_t bytes = value.layout->size * size_of(value.dtype);
  value.memory = Memory();
  // Constructed in place: an assignment from a new object stalls until the stores to that are done.
  new (&value.memory)
      Memory(Memory::for_work(value.queue, static_cast<size_t>(bytes), value.usm_type));
  value.offset_bytes = 0;
}

void become_ready(Value& value, const Event& written) noexcept {
  set_written(value, written);
  value.state.store(ValueState::kReady, std::memory_order_release);
  for (int i = 0; i < value.input_count; ++i) value.inputs[i] = Input();
  value.reduce.reset();
  value.recipe.reset();
}

void note_read(Value& value, const Event& event) {
  if (!event.state()) return;
  value.memory.release_after(event);
  std::lock_guard guard(value.reads_lock);
  std::erase_if(value.reads, [&](const Event& e) { return runtime::includes_wait_for(event, e); });
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
  if (WorkRecorder* const recorder = WorkRecorder::of_this_thread())
    recorder->copied(fresh, value.memory);
  note_read(value, copied);
  ValueRef copy = memory_value(fresh, value.offset_bytes, value.layout, value.dtype);
  note_write(*copy, copied);
  return copy;
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

/// Stores the elements of a constant if that takes less time than a kernel's launch: if they are
/// few, and in memory that the host reaches. Returns whether it did.
bool fill_constant(Value& v) {
  constexpr int64_t kFewBytes = 16 << 10;
  const int64_t item = size_of(v.dtype), bytes = v.layout->size * item;
  if (v.kind != ValueKind::kConstant || bytes > kFewBytes || v.layout->size == 0 ||
      !runtime::shares_memory_with_host(v.queue) || WorkRecorder::of_this_thread())
    return false;
  // The host writes at once, so it must be memory that nothing uses any more.
  v.memory = Memory(v.queue, static_cast<size_t>(bytes), v.usm_type);
  char* const first = address_of(v);
  const std::span number(v.inputs[0].number, static_cast<size_t>(item));
  if (std::ranges::all_of(number, [](unsigned char byte) { return byte == 0; })) {
    std::memset(first, 0, static_cast<size_t>(bytes));
  } else {
    std::memcpy(first, number.data(), number.size());
    for (int64_t done = item; done < bytes; done *= 2)
      std::memcpy(first + done, first, static_cast<size_t>(std::min(done, bytes - done)));
  }
  become_ready(v, Event());
  return true;
}

/// Plans and runs the pending value `v`. Returns false, with nothing changed, when the values in
/// `needs` have to be submitted first.
bool plan_and_run(Value& v, Needs& needs) {
  Planner planner(v.queue);
  Plan plan;
  if (plan_value(plan, planner, v)) {
    run(plan, v);
    return true;
  }
  needs = std::move(planner.needs);
  return false;
}

/// The values of `others` that may be computed by the kernel of `v`.
llvm::SmallVector<ValueRef, 8> companions(const Value& v, std::span<const ValueRef> others) {
  llvm::SmallVector<ValueRef, 8> found;
  if (!v.is_pending() || v.kind == ValueKind::kRecipe) return found;
  for (const ValueRef& w : others)
    if (w.get() != &v && w->is_pending() && w->kind != ValueKind::kRecipe && w->queue == v.queue &&
        w->shape() == v.shape())
      found.push_back(w);
  return found;
}

/// Whether the kernel of a reduction can end with `v`.
bool ends_reduction(Value& v) {
  Epilogue epilogue;
  return v.reduces && find_epilogue(epilogue, Planner(v.queue), v);
}

/// Submits what the kernel needs, then `v` together with the values of `others` that its kernel can
/// compute. Returns false when there are no such values, when `v` alone is the end of its
/// reduction's kernel, and when the kernel failed. `v` is then submitted alone, which gives it its
/// own error.
bool submit_with(Value& v, std::span<const ValueRef> others) {
  try {
    for (;;) {
      const auto joined = companions(v, others);
      if (joined.empty()) return false;
      const bool is_end = ends_reduction(v);  // before the planner refers to the reduction
      Planner planner(v.queue);
      Plan plan;
      if (plan_value(plan, planner, v, joined)) {
        run(plan, v);
        return true;
      }
      if (is_end) return false;
      for (const ValueRef& need : planner.needs) submit_locked(*need);
    }
  } catch (const WaitFirst&) {
    throw;
  } catch (...) {
    return false;
  }
}

}  // namespace

void submit(std::span<const ValueRef> values) noexcept {
  // Values that read others come first, because their kernels store the values that they read.
  std::vector<ValueRef> sorted(values.begin(), values.end());
  std::ranges::stable_sort(sorted, std::greater<>(), [](const ValueRef& v) { return v->height; });
  for (size_t i = 0; i < sorted.size(); ++i)
    with_graph_lock(sorted[i]->queue, [&] {
      if (!submit_with(*sorted[i], std::span(sorted).subspan(i + 1))) submit_locked(*sorted[i]);
    });
}

void submit_locked(Value& root) {
  Needs stack;  // values to submit before the root
  while (root.is_pending()) {
    Value& v = stack.empty() ? root : *stack.back();
    Needs needs;
    try {
      if (!v.is_pending() || fill_constant(v) || plan_and_run(v, needs)) {
        if (!stack.empty()) stack.pop_back();
        continue;
      }
    } catch (const WaitFirst&) {
      throw;
    } catch (...) {
      fail(v, error::current_error("array"));
      continue;
    }
    stack.append(std::make_move_iterator(needs.rbegin()), std::make_move_iterator(needs.rend()));
  }
}

void synchronise_with_foreign_work(Value& value, const Queue* by) {
  if (!is_shared(value.queue)) return;
  if (by && *by == value.queue && !native_stream(value.queue))
    return wait_for_foreign_commands(value.queue);
  value.written = event_of_foreign_work(value.queue, value.written);
}

bool synchronise_if_escaped(const Array& x, const Queue& by) {
  if (!x.storage()->escaped.load(std::memory_order_acquire)) return false;
  synchronise_with_foreign_work(x.storage()->present(), &by);
  return true;
}

void settle(const Value& value) noexcept {
  if (value.state.load(std::memory_order_acquire) != ValueState::kReady) return;
  const Event written = value.written;
  if (value.memory.host_accessible()) {
    (void)written.wait_for_error();
    return;
  }
  if (!is_shared(value.queue) || !native_stream(value.queue)) return;
  try {
    runtime::interop_of(*value.queue.state()->driver)
        .make_native_wait(nullptr, std::span(&written, 1));
  } catch (...) {  // the context is lost, which the other libraries notice themselves
  }
}

}  // namespace hither::array
