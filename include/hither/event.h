// Completion of submitted work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <hither/error.h>
#include <hither/export.h>

namespace hither {

namespace runtime {
struct EventState;
}

enum class EventStatus : uint8_t { kSubmitted, kRunning, kComplete };

/// The completion of one task. It is a handle: copies share the state. A default Event is complete.
/// Thread-safe.
class HITHER_EXPORT Event {
 public:
  Event() noexcept = default;
  explicit Event(std::shared_ptr<runtime::EventState> state) noexcept : state_(std::move(state)) {}

  /// Blocks until the task ended; raises the task's error, again at each call.
  void wait() const;
  /// Blocks until the task ended and returns its error, if any; never throws for it.
  std::optional<Error> wait_for_error() const noexcept;
  EventStatus status() const;
  bool is_complete() const noexcept { return !state_ || status() == EventStatus::kComplete; }

  /// Nanoseconds on the device's clock; Error kValue unless the queue was made with profiling.
  uint64_t profiling_submit() const;
  uint64_t profiling_start() const;
  uint64_t profiling_end() const;

  const std::shared_ptr<runtime::EventState>& state() const noexcept { return state_; }

 private:
  std::shared_ptr<runtime::EventState> state_;
};

}  // namespace hither
