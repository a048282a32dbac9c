// The times of commands in queues that do not profile, for hither::begin_profile().
#pragma once

#include <atomic>
#include <memory>

#include <sycl/sycl.hpp>

#include "runtime/event_state.h"

namespace hither::drivers::sycl {

/// OpenCL tells the host when a command begins and ends. This needs no property of the queue.
class ObservedCommand {
 public:
  /// Null on other back ends, and for commands that the device has not received yet or runs
  /// already.
  static std::shared_ptr<const ObservedCommand> of(const ::sycl::event& event) noexcept;

  /// On the host's clock; `end` is 0 until OpenCL has told it.
  runtime::ProfilingTimes times() const noexcept;

 private:
  std::atomic<uint64_t> start_{0}, end_{0};
};

}  // namespace hither::drivers::sycl
