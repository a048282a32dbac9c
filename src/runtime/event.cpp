#include <hither/event.h>

#include <atomic>

#include "runtime/event_state.h"
#include "runtime/profile.h"

namespace hither {

void Event::wait() const {
  if (auto error = wait_for_error()) {
    error->mark_reported();
    throw *error;
  }
}

std::optional<Error> Event::wait_for_error() const noexcept {
  if (!state_) return std::nullopt;
  if (profiling::is_observed() && state_->status() != EventStatus::kComplete) [[unlikely]]
    runtime::profiled_wait("Event.wait", nullptr, [&] { state_->wait(); });
  else
    state_->wait();
  const Error* error = state_->error();
  return error ? std::optional<Error>(*error) : std::nullopt;
}

EventStatus Event::status() const { return state_ ? state_->status() : EventStatus::kComplete; }

static runtime::ProfilingTimes times_of(const Event& event) {
  std::optional<runtime::ProfilingTimes> times;
  if (event.state()) {
    event.state()->wait();
    times = event.state()->times();
  }
  if (!times)
    throw Error(ErrorKind::kValue, "Event.profiling",
                "this event has no times; make its queue with enable_profiling and submit the task "
                "again");
  return *times;
}

uint64_t Event::profiling_submit() const { return times_of(*this).submit; }
uint64_t Event::profiling_start() const { return times_of(*this).start; }
uint64_t Event::profiling_end() const { return times_of(*this).end; }

namespace runtime {

std::optional<Error> wait_for_all(std::span<const Event> events) noexcept {
  std::optional<Error> first;
  for (const Event& event : events) {
    auto error = event.wait_for_error();
    if (error && !first) first = std::move(error);
  }
  return first;
}

void when_all_ended(std::span<const Event> events, std::function<void()> then) {
  struct Countdown {
    std::atomic<size_t> left;
    std::function<void()> then;
  };
  auto countdown = std::make_shared<Countdown>();
  countdown->left = 1;
  countdown->then = std::move(then);
  const auto tick = [countdown] {
    if (countdown->left.fetch_sub(1, std::memory_order_acq_rel) == 1) countdown->then();
  };
  for (const Event& event : events) {
    if (!event.state()) continue;
    countdown->left.fetch_add(1, std::memory_order_relaxed);
    event.state()->on_end(tick);
  }
  tick();
}

}  // namespace runtime
}  // namespace hither
