#include "array/record/recorded_run.h"

#include <algorithm>

#include "array/flush.h"
#include "profiling/kernel_history.h"
#include "profiling/ranges.h"
#include "runtime/event_state.h"
#include "runtime/kernel_state.h"
#include "runtime/launch_check.h"

namespace hither::array {

bool RecordedRun::accepts() {
  const uint64_t visit = next_visit(*work_.queue);
  for (size_t i = 0; i < arguments_.size(); ++i)
    if (!accepts(i, visit)) return false;
  return true;
}

void RecordedRun::check_dependencies() const {
  llvm::SmallVector<Event, 8> written;
  for (const ValueRef& v : before_)
    if (Event e = v->written.event(); e.state()) written.push_back(std::move(e));
  wait_first(*work_.queue, written);
}

void RecordedRun::submit() {
  if (!steps_) begin();
  for (; !is_done() && (*steps_)[next_].kind != RecordedStep::Kind::kCall; ++next_) {
    const RecordedStep& step = (*steps_)[next_];
    for (const uint16_t m : step.allocates) memories_[m] = allocated(m);
    const Event event = run(step);
    if (event.state()) note(step, event);
    for (const uint16_t m : step.last_uses) memories_[m] = Memory();
  }
}

void RecordedRun::begin() {
  memories_.resize(work_.arguments.size() + work_.made.size());
  events_.resize(memories_.size());
  for (size_t i = 0; i < before_.size(); ++i) events_[i] = before_[i]->written.event();
  for (const uint16_t m : work_.unused) memories_[m] = allocated(m);
  // A joined launch depends on all that its parts read, so that an error of one argument would be
  // an error of all their results.
  const bool failed = std::ranges::any_of(before_, [](const ValueRef& v) {
    const Event written = v->written.event();
    return written.state() && written.is_complete() && written.state()->error();
  });
  steps_ = &(failed ? work_.steps : work_.steps_of(1));
}

bool RecordedRun::may_finish() const {
  for (size_t i = 0; i < work_.arguments.size(); ++i) {
    if (work_.arguments[i].value < 0) continue;
    const Storage& storage = *arguments_[i]->storage();
    if (storage.value() != before_[i] || storage.escaped.load(std::memory_order_acquire))
      return false;
  }
  return true;
}

void RecordedRun::finish(std::vector<Array>& results) {
  llvm::SmallVector<ValueRef, 8> values;
  for (const auto& made : work_.values) values.push_back(value_of(made));
  for (size_t i = 0; i < work_.arguments.size(); ++i)
    if (const int v = work_.arguments[i].value; v >= 0)
      arguments_[i]->storage()->rename(values[static_cast<size_t>(v)]);
  llvm::SmallVector<Reference<Storage>, 8> storages(static_cast<size_t>(work_.storages));
  results.reserve(work_.results.size());
  for (const auto& r : work_.results) {
    if (r.argument >= 0) {
      results.emplace_back(arguments_[static_cast<size_t>(r.argument)]->storage(), r.layout,
                           r.dtype);
      continue;
    }
    Reference<Storage>& storage = storages[static_cast<size_t>(r.storage)];
    if (!storage) storage = Reference<Storage>(new Storage(values[static_cast<size_t>(r.value)]));
    results.emplace_back(storage, r.layout, r.dtype);
  }
}

bool RecordedRun::accepts(size_t i, uint64_t visit) {
  const Array& x = *arguments_[i];
  const auto& known = work_.arguments[i];
  const Storage& storage = *x.storage();
  if (x.dtype() != known.dtype || storage.usm_type != known.usm_type ||
      storage.escaped.load(std::memory_order_acquire) || x.is_read_only() != known.read_only)
    return false;
  const Layout &a = *x.layout(), &b = *known.layout;
  if (&a != &b && !(a.queue == b.queue && a.shape == b.shape && a.strides == b.strides))
    return false;
  ValueRef v = storage.value();
  if (v->state.load(std::memory_order_acquire) != ValueState::kReady || !(v->queue == *work_.queue))
    return false;
  char* const at = address_of(*v) + a.offset * x.itemsize();
  if (reinterpret_cast<uintptr_t>(at) % 64 != static_cast<uintptr_t>(known.alignment)) return false;
  if (v->planner.visit != visit) v->planner = {.visit = visit, .slot = static_cast<Slot>(i)};
  const int alias = known.alias;
  if (alias == static_cast<int>(i)) {
    // More arguments than a slot has numbers for: then the first is found by comparison.
    if (v->planner.slot != static_cast<Slot>(i) || (i > 255 && seen_before(v))) return false;
  } else if (v != before_[static_cast<size_t>(alias)] ||
             first_stored(x, static_cast<size_t>(alias)) != known.storage ||
             at - first_[static_cast<size_t>(alias)] != known.distance) {
    return false;
  }
  if (known.named && a.offset != b.offset) return false;
  if (known.written &&
      (at - static_cast<char*>(v->memory.data()) != known.into || a.offset != b.offset ||
       v->memory.bytes() != known.bytes || !(v->layout->shape == known.whole->shape)))
    return false;
  before_.push_back(std::move(v));
  first_.push_back(at);
  return true;
}

Memory RecordedRun::allocated(uint16_t memory) const {
  const auto& made = work_.made[memory - before_.size()];
  return Memory::for_work(*work_.queue, made.bytes, made.usm_type);
}

int RecordedRun::first_stored(const Array& x, size_t from) const {
  while (arguments_[from]->storage() != x.storage()) ++from;
  return static_cast<int>(from);
}

bool RecordedRun::seen_before(const ValueRef& v) const {
  return std::find(before_.begin(), before_.end(), v) != before_.end();
}

char* RecordedRun::address(int memory, int64_t offset) const {
  const auto m = static_cast<size_t>(memory);
  return (m < first_.size() ? first_[m] : static_cast<char*>(memories_[m].data())) + offset;
}

llvm::SmallVector<Event, 4> RecordedRun::dependencies(const RecordedStep& step) const {
  llvm::SmallVector<Event, 4> depends;
  for (const uint16_t m : step.uses)
    if (events_[m].state()) depends.push_back(events_[m]);
  return depends;
}

Event RecordedRun::run(const RecordedStep& step) {
  switch (step.kind) {
    case RecordedStep::Kind::kLaunch:
      return launch(step);
    case RecordedStep::Kind::kCopy: {
      const RecordedAddress& from = step.addresses[0];
      const auto depends = dependencies(step);
      return work_.queue->copy(memories_[static_cast<size_t>(step.target)].data(),
                               address(from.memory, from.offset), static_cast<size_t>(step.bytes),
                               std::span(depends.data(), depends.size()));
    }
    case RecordedStep::Kind::kRecipe:
      return run_recipe(step);
    case RecordedStep::Kind::kCall:
      break;  // see call()
  }
  return {};
}

Event RecordedRun::launch(const RecordedStep& step) const {
  llvm::SmallVector<uint64_t, 64> slots(step.slots.begin(), step.slots.end());
  for (const RecordedAddress& a : step.addresses)
    slots[a.slot] = reinterpret_cast<uint64_t>(address(a.memory, a.offset));
  step.write_numbers(numbers_.data(), slots.data());
  const profiling::KernelNaming naming(step.name);
  const uint64_t start = profiling::ticks();
  const auto depends = dependencies(step);
  Event event = runtime::submit_unchecked(*work_.queue, step.kernel, step.range,
                                          std::as_bytes(std::span(slots.data(), slots.size())),
                                          std::span(depends.data(), depends.size()));
  const uint64_t spent = profiling::ticks() - start;
  profiling::record_launch({step.name, step.device, "memory", 0},
                           step.elements < 0 ? step.range.global.items() : step.elements,
                           step.bytes, spent);
  return event;
}

Event RecordedRun::run_recipe(const RecordedStep& step) {
  ValueRef node =
      make_node(ValueKind::kRecipe, step.layout, step.dtype, step.compute, step.usm_type);
  node->input_count = static_cast<uint8_t>(step.operands.size());
  Operated operands[kMaxInputs];
  for (size_t i = 0; i < step.operands.size(); ++i) {
    const RecordedOperand& o = step.operands[i];
    node->inputs[i] = o.input;
    if (o.memory < 0) continue;
    node->inputs[i].value = operand_value(o);
    operands[i] = {node->inputs[i].value, o.operated};
  }
  step.recipe->launch(*node, std::span(operands, step.operands.size()));
  memories_[static_cast<size_t>(step.target)] = node->memory;
  const Event written = node->written.event();
  become_ready(*node, written);
  return written;
}

ValueRef RecordedRun::operand_value(const RecordedOperand& o) const {
  const auto m = static_cast<size_t>(o.memory);
  const Memory& memory = m < before_.size() ? before_[m]->memory : memories_[m];
  const int64_t offset = address(o.memory, o.offset) - static_cast<char*>(memory.data());
  ValueRef v = memory_value(memory, offset, o.whole, o.dtype);
  v->written = events_[m];
  return v;
}

void RecordedRun::note(const RecordedStep& step, const Event& event) {
  for (const uint16_t m : step.uses) {
    if (m < before_.size()) {
      note_read(*before_[m], event);
      continue;
    }
    events_[m] = event;
    memories_[m].release_after(event);
  }
}

ValueRef RecordedRun::value_of(const RecordedWork::MadeValue& made) {
  const auto m = static_cast<size_t>(made.memory);
  if (m < before_.size()) return before_[m];
  ValueRef v = memory_value(memories_[m], made.offset, made.layout, made.dtype);
  if (events_[m].state()) note_write(*v, events_[m]);
  return v;
}

}  // namespace hither::array
