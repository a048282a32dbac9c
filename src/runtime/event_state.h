// What stands behind an Event: each driver's tasks implement it.
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

/// Completion of one task. Thread-safe. A state is shared by everyone who depends on the task, so
/// its error, once set, stays.
struct EventState {
  virtual ~EventState() = default;
  virtual EventStatus status() const noexcept = 0;
  /// Blocks until the task ended, well or with an error. May run pending host work meanwhile.
  virtual void wait() noexcept = 0;
  /// Of an ended task: why it failed, or null.
  virtual const Error* error() const noexcept = 0;
  /// Of an ended task; empty when its queue does not profile.
  virtual std::optional<ProfilingTimes> times() const noexcept = 0;
  /// Calls `then` once, when the task has ended: at once on this thread if it has already, else on
  /// the thread that sees it end. `then` is short, does not throw and does not wait.
  virtual void on_end(std::function<void()> then) = 0;
  /// Whether it ends after `earlier`, which cannot fail: whoever waits for this need not for that.
  virtual bool follows(const EventState& /*earlier*/) const noexcept { return false; }
  /// DriverQueue::order() of the queue that has the task; 0 while none has.
  virtual uint64_t order() const noexcept { return 0; }
};

/// A task that had ended when its submission returned.
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

/// Whether whoever waits for `event` need not wait for `earlier`.
inline bool makes_needless(const Event& event, const Event& earlier) noexcept {
  if (event.state() && earlier.state() && event.state()->follows(*earlier.state())) return true;
  return earlier.is_complete();
}

/// Waits for all of them and returns the error of the first (in their order) that failed.
HITHER_EXPORT std::optional<Error> wait_for_all(std::span<const Event> events) noexcept;

/// Calls `then` once all of `events` ended, at once when they have. See EventState::on_end.
HITHER_EXPORT void when_all_ended(std::span<const Event> events, std::function<void()> then);

}  // namespace hither::runtime
