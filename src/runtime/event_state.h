// The state of an Event, which each driver's tasks implement.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include <hither/event.h>

namespace hither::runtime {

/// Nanoseconds on the device's clock.
struct ProfilingTimes {
  uint64_t submit = 0, start = 0, end = 0;
};

/// Completion of one task. Thread-safe. All dependents of the task share it, so its error never
/// changes once it is set.
struct EventState {
  virtual ~EventState() = default;
  virtual EventStatus status() const noexcept = 0;
  /// Blocks until the task has ended or failed. May run pending host work meanwhile.
  virtual void wait() noexcept = 0;
  /// wait() that Ctrl-C ends on Python's main thread, if it cannot end the task, as on GPUs.
  /// Returns whether the task has ended.
  virtual bool wait_unless_interrupted() noexcept {
    wait();
    return true;
  }
  /// The error of an ended task, or null.
  virtual const Error* error() const noexcept = 0;
  /// The times of an ended task; empty if its queue does not profile.
  virtual std::optional<ProfilingTimes> times() const noexcept = 0;
  /// The same for a profile (profile.h), which also times queues that do not profile; on the clock
  /// of profiling::now(). Empty if only the host can observe the task.
  virtual std::optional<ProfilingTimes> profiled_times() const noexcept { return std::nullopt; }
  /// Calls `then` once, after the task has ended: at once on this thread if it has ended already,
  /// else on the thread that observes its end. `then` is short, does not throw and does not wait.
  virtual void on_end(std::function<void()> then) = 0;
  /// Whether it ends after `earlier` and `earlier` cannot fail: a wait for it includes a wait for
  /// `earlier`.
  virtual bool follows(const EventState& /*earlier*/) const noexcept { return false; }
  /// DriverQueue::order() of the task's queue; 0 before the task has one.
  virtual uint64_t order() const noexcept { return 0; }
};

/// A task that ended before its submission returned.
struct EndedEvent final : EventState {
  EndedEvent(std::optional<Error> e, std::optional<ProfilingTimes> t)
      : error_(std::move(e)), times_(t) {}
  EventStatus status() const noexcept override { return EventStatus::kComplete; }
  void wait() noexcept override {}
  const Error* error() const noexcept override { return error_ ? &*error_ : nullptr; }
  std::optional<ProfilingTimes> times() const noexcept override { return times_; }
  void on_end(std::function<void()> then) override { then(); }

 private:
  const std::optional<Error> error_;
  const std::optional<ProfilingTimes> times_;
};

/// Whether a wait for `event` includes a wait for `earlier`.
inline bool includes_wait_for(const Event& event, const Event& earlier) noexcept {
  if (event.state() && earlier.state() && event.state()->follows(*earlier.state())) return true;
  return earlier.is_complete();
}

/// Waits for all of them and returns the error of the first (in their order) that failed.
HITHER_EXPORT std::optional<Error> wait_for_all(std::span<const Event> events) noexcept;

/// Calls `then` after all of `events` have ended, at once if they have ended already. See
/// EventState::on_end.
HITHER_EXPORT void when_all_ended(std::span<const Event> events, std::function<void()> then);

}  // namespace hither::runtime
