// Optional part of the driver contract: work of other libraries in a queue's native queue.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "runtime/driver.h"

namespace hither::runtime {

/// For queues over a native queue that libraries use themselves: a CUDA stream or a sycl::queue.
/// Where `native_queue` is a parameter, null stands for CUDA's legacy default stream. Thread-safe.
class QueueInterop {
 public:
  virtual ~QueueInterop() = default;

  /// Whether other libraries use the native queue, or memory of the queue's context.
  virtual bool is_shared() const noexcept = 0;
  /// Shares memory of the queue's context with other libraries: is_shared() is true from now on.
  virtual void share_memory() {}
  /// The back end's object of the queue: a sycl::queue*, or null for other back ends.
  virtual const void* native_object() const noexcept { return nullptr; }
  /// The same object, shared with other libraries. From now on their commands are ordered with
  /// those of this queue, in out-of-order queues as well. Host tasks are excepted: the call waits
  /// for the unfinished ones.
  virtual const void* share() { return native_object(); }

  /// Whether the back end may delay commands of other libraries without hither's barriers waiting
  /// for them.
  virtual bool may_delay_foreign_commands() const noexcept { return false; }
  /// Waits until the device has received all of these commands (sycl::event*). Call it without a
  /// lock and without the GIL.
  virtual void wait_for_foreign_commands(std::span<const void* const> /*native_events*/) {}

  /// The CUDA stream of this queue's tasks, or of some of them; null for other back ends.
  virtual void* stream() const noexcept { return nullptr; }
  /// The queue to which libraries submit work: that stream, or a sycl::queue*; null if the device
  /// takes none.
  virtual void* native_queue() noexcept { return stream(); }
  /// Calls `give`, which submits work to the native queue that it receives; the work runs after
  /// `depends_on`. `give` is called under a lock, now or later, and must not be user code.
  virtual Event submit_native(std::function<void(void* native_queue)> give,
                              std::span<const Event> depends_on) = 0;
  /// Work that the native queue receives from now on runs after `events`. The host waits only for
  /// events that are not the back end's.
  virtual void make_native_wait(void* native_queue, std::span<const Event> events) = 0;
  /// Ends after all work that the native queue has received so far.
  virtual Event record_native_event(void* native_queue) = 0;
  /// Makes the native context current in this thread until the result is destroyed.
  virtual std::shared_ptr<const void> make_current() const { return nullptr; }
};

/// The facet of a queue that needs one. Error kUnsupported if it has none.
inline QueueInterop& interop_of(DriverQueue& queue) {
  if (QueueInterop* interop = queue.interop()) return *interop;
  throw Error(ErrorKind::kUnsupported, "stream",
              "the device's back end has no native queues for library calls");
}

}  // namespace hither::runtime
