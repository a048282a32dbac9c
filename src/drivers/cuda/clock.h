// The times of a context's events.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

#include "drivers/cuda/native_context.h"

namespace hither::drivers::cuda {

/// An event whose time is known, in nanoseconds of the host's steady clock.
struct Anchor {
  explicit Anchor(std::shared_ptr<NativeContext> context) : event(std::move(context), true) {}
  NativeEvent event;
  uint64_t time = 0;
};

/// CUDA gives the milliseconds between two events as a float, which is exact for short times only.
/// So a new anchor is made from time to time; its time is measured from the previous one.
/// Thread-safe.
class Clock {
 public:
  explicit Clock(std::shared_ptr<NativeContext> context) : stream_(std::move(context)) {}

  /// A recent anchor in the past.
  std::shared_ptr<const Anchor> anchor();
  /// The time of a completed event with timing. 0 if the context is lost.
  static uint64_t time_of(const NativeEvent& event, const Anchor& anchor) noexcept;

 private:
  const NativeStream stream_;
  std::mutex mutex_;
  std::shared_ptr<const Anchor> last_;
};

}  // namespace hither::drivers::cuda
