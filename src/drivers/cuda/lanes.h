// The streams of a queue.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "drivers/cuda/clock.h"
#include "drivers/cuda/device_task.h"
#include "drivers/cuda/native_context.h"

namespace hither::drivers::cuda {

/// Submits work to a stream, whose context is current.
using Command = std::function<void(CUstream stream)>;

/// One stream for an in-order queue, several in round-robin order for an out-of-order one. Host
/// tasks share it, because they may outlive the queue.
class Lanes {
 public:
  using Waits = std::vector<std::shared_ptr<NativeEvent>>;

  Lanes(std::shared_ptr<NativeContext> context, std::shared_ptr<Clock> clock, bool in_order,
        bool profiling);

  /// Submits `command` to the next stream, after these CudaTasks and `ends`. Calls are serialised.
  Marks submit(const Command& command, std::span<const runtime::DeviceTask* const> after,
               const Waits& ends);
  /// The last events of all streams: together they complete when all submitted work has.
  Waits ends() const;
  /// The stream of an in-order queue.
  CUstream first() const noexcept { return lanes_.front()->stream.get(); }
  /// Waits for all streams.
  CUresult wait() const noexcept;

  NativeContext& context() const noexcept { return *context_; }

 private:
  struct Lane {
    explicit Lane(std::shared_ptr<NativeContext> context) : stream(std::move(context)) {}
    NativeStream stream;
    std::shared_ptr<NativeEvent> last;
  };
  const std::shared_ptr<NativeContext> context_;
  const std::shared_ptr<Clock> clock_;
  const bool profiling_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  mutable std::mutex mutex_;  ///< protects the order of submissions and the following members
  size_t next_ = 0;
};

}  // namespace hither::drivers::cuda
