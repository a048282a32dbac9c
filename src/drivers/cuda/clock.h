// When events of a context happened.
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

/// CUDA tells the milliseconds between two events, as a float: exact for a while only. So there is
/// a new anchor now and then, whose time is told by the last one. Thread-safe.
class Clock {
 public:
  explicit Clock(std::shared_ptr<NativeContext> context) : stream_(std::move(context)) {}

  /// One that happened before now and not long ago.
  std::shared_ptr<const Anchor> anchor();
  /// Of an event with times that has happened. 0 when the context is lost.
  static uint64_t time_of(const NativeEvent& event, const Anchor& anchor) noexcept;

 private:
  const NativeStream stream_;
  std::mutex mutex_;
  std::shared_ptr<const Anchor> last_;
};

}  // namespace hither::drivers::cuda
