#include "array/record/recorded_loop.h"

#include <algorithm>

#include "array/flush.h"
#include "process/before_blocking.h"
#include "profiling/kernel_history.h"
#include "profiling/ranges.h"
#include "runtime/launch_check.h"

namespace hither::array {
namespace {

/// Of all that a run allocates. Loops over larger memories gain nothing, and need more memory than
/// single runs: results have two memories, and all are kept to the end.
constexpr size_t kMostBytes = size_t{1} << 26;

}  // namespace

// Whether the result that becomes the argument is like the one that was recorded.
bool RecordedLoop::feeds(size_t a) const {
  const auto& argument = work_.arguments[a];
  const auto& result = work_.results[static_cast<size_t>(feedback_[a])];
  if (result.value < 0 || argument.alias != static_cast<int>(a) ||
      argument.storage != static_cast<int>(a) || argument.read_only)
    return false;
  const auto& value = work_.values[static_cast<size_t>(result.value)];
  const auto made = static_cast<size_t>(value.memory);
  if (made < work_.arguments.size() || result.dtype != argument.dtype ||
      work_.made[made - work_.arguments.size()].usm_type != argument.usm_type)
    return false;
  for (size_t b = 0; b < a; ++b) {
    if (feedback_[b] < 0) continue;
    const int other = work_.results[static_cast<size_t>(feedback_[b])].value;
    if (work_.values[static_cast<size_t>(other)].memory == value.memory) return false;
  }
  const Layout &from = *result.layout, &to = *argument.layout;
  return from.queue == to.queue && from.shape == to.shape && from.strides == to.strides &&
         (from.offset == to.offset || !argument.named);
}

bool RecordedLoop::fits() const {
  if (!work_.queue->properties().in_order || profiling::is_observed()) return false;
  for (const RecordedStep& step : work_.steps)
    if (step.kind == RecordedStep::Kind::kRecipe || step.kind == RecordedStep::Kind::kCall)
      return false;
  for (size_t a = 0; a < work_.arguments.size(); ++a) {
    if (work_.arguments[a].written || work_.arguments[a].value >= 0) return false;
    if (feedback_[a] >= 0 && !feeds(a)) return false;
    // Its address is relative to that of an argument which changes.
    if (feedback_[a] < 0 && feedback_[static_cast<size_t>(work_.arguments[a].alias)] >= 0)
      return false;
  }
  size_t bytes = 0;
  for (const auto& made : work_.made) bytes += made.bytes;
  return bytes <= kMostBytes;
}

bool RecordedLoop::accepts() { return fits() && RecordedRun::accepts() && allocate(); }

bool RecordedLoop::allocate() {
  const size_t arguments = before_.size();
  memories_.resize(arguments + work_.made.size());
  second_.resize(memories_.size());
  events_.resize(memories_.size());
  for (size_t m = arguments; m < memories_.size(); ++m)
    memories_[m] = allocated(static_cast<uint16_t>(m));
  for (const auto& value : work_.values)
    if (const auto m = static_cast<size_t>(value.memory); m >= arguments && !second_[m])
      second_[m] = allocated(static_cast<uint16_t>(m));
  for (size_t a = 0; a < arguments; ++a) {
    if (feedback_[a] < 0) continue;
    for (const auto* memories : {&memories_, &second_})
      if (reinterpret_cast<uintptr_t>(first_of(a, *memories)) % 64 !=
          static_cast<uintptr_t>(work_.arguments[a].alignment))
        return false;
  }
  return true;
}

// Element 0 of an argument that is a result.
char* RecordedLoop::first_of(size_t a, const llvm::SmallVector<Memory, 8>& memories) const {
  const auto& result = work_.results[static_cast<size_t>(feedback_[a])];
  const auto& value = work_.values[static_cast<size_t>(result.value)];
  return static_cast<char*>(memories[static_cast<size_t>(value.memory)].data()) + value.offset +
         result.layout->offset * size_of(result.dtype);
}

const Memory& RecordedLoop::written(Variant variant, size_t memory) const {
  return variant == kFromFirst && second_[memory] ? second_[memory] : memories_[memory];
}

char* RecordedLoop::address(Variant variant, const RecordedAddress& at) const {
  const size_t m = at.memory;
  if (m >= before_.size()) return static_cast<char*>(written(variant, m).data()) + at.offset;
  if (variant == kFirst || feedback_[m] < 0) return first_[m] + at.offset;
  return first_of(m, variant == kFromFirst ? memories_ : second_) + at.offset;
}

Event RecordedLoop::submit(const RecordedStep& step, Variant variant, Slots& slots,
                           const Scalar* numbers, std::span<const Event> depends_on) const {
  if (step.kind == RecordedStep::Kind::kCopy)
    return work_.queue->copy(written(variant, static_cast<size_t>(step.target)).data(),
                             address(variant, step.addresses[0]), static_cast<size_t>(step.bytes),
                             depends_on);
  step.write_numbers(numbers, slots.data());
  return runtime::submit_unchecked(*work_.queue, step.kernel, step.range,
                                   std::as_bytes(std::span(slots.data(), slots.size())),
                                   depends_on);
}

void RecordedLoop::all() {
  process::before_blocking();
  const std::vector<RecordedStep>& steps = work_.steps_of(runs_);
  std::vector<Slots> slots[kVariants];
  for (int v = 0; v < kVariants; ++v)
    for (const RecordedStep& step : steps) {
      Slots& own = slots[v].emplace_back(step.slots.begin(), step.slots.end());
      if (step.kind != RecordedStep::Kind::kLaunch) continue;
      for (const RecordedAddress& a : step.addresses)
        own[a.slot] = reinterpret_cast<uint64_t>(address(static_cast<Variant>(v), a));
    }

  llvm::SmallVector<Event, 8> depends;  // later tasks only on the one before
  for (const ValueRef& v : before_)
    if (Event e = v->written.event(); e.state()) depends.push_back(std::move(e));
  const uint64_t start = profiling::ticks();
  Event last;
  try {
    for (int64_t run = 0; run < runs_; ++run) {
      const Variant variant = run == 0 ? kFirst : run % 2 ? kFromFirst : kFromSecond;
      const Scalar* const numbers = numbers_.data() + run * std::ssize(work_.kinds);
      for (size_t i = 0; i < steps.size(); ++i) {
        last = submit(steps[i], variant, slots[variant][i], numbers,
                      std::span(depends.data(), depends.size()));
        depends.clear();
        if (last.state()) depends.push_back(last);
      }
    }
  } catch (...) {
    note_uses(last);
    throw;
  }
  note_uses(last);
  record_launches(steps, profiling::ticks() - start);
  if (runs_ % 2 == 0)
    for (size_t m = 0; m < second_.size(); ++m)
      if (second_[m]) std::swap(memories_[m], second_[m]);
}

// After the last task that was submitted, which follows the others.
void RecordedLoop::note_uses(const Event& last) {
  if (!last.state()) return;
  for (const ValueRef& v : before_) note_read(*v, last);
  for (size_t m = before_.size(); m < memories_.size(); ++m) {
    events_[m] = last;
    memories_[m].release_after(last);
    if (second_[m]) second_[m].release_after(last);
  }
}

// The launches that the history still holds afterwards.
void RecordedLoop::record_launches(std::span<const RecordedStep> steps, uint64_t spent) const {
  const auto launches = std::ranges::count(steps, RecordedStep::Kind::kLaunch, &RecordedStep::kind);
  if (launches == 0) return;
  const uint64_t each = spent / static_cast<uint64_t>(launches * runs_);
  const int64_t kept = std::min(runs_, profiling::kHistoryCapacity / launches + 1);
  for (int64_t run = 0; run < kept; ++run)
    for (const RecordedStep& step : steps)
      if (step.kind == RecordedStep::Kind::kLaunch)
        profiling::record_launch({step.name, step.device, "memory", 0},
                                 step.elements < 0 ? step.range.global.items() : step.elements,
                                 step.bytes, each);
}

}  // namespace hither::array
