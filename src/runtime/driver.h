// The contract between the runtime and a back end: what a driver implements, in one sitting.
//
// Driver            finds devices                        one a back end library
//   DriverDevice    facts, partition, make_context       one a device or sub-device
//     DriverContext memory pools, kernels, make_queue    one a hither::Context
//       DriverQueue takes tasks, gives Events            one a hither::Queue
//
// The runtime has checked every argument before a driver sees it. All members are thread-safe.
// Failures of a call are thrown as Error; failures of a submitted task live in its Event, in every
// Event that depends on it (the same Error), and in the queue's FailureLog. A task whose dependency
// is known to have failed does not run; one that was already enqueued on a device may run, and its
// Event carries the error all the same.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hither/device.h>
#include <hither/kernel.h>
#include <hither/memory.h>
#include <hither/queue.h>

#include "runtime/event_state.h"
#include "runtime/failure_log.h"
#include "runtime/math_library.h"
#include "target/code_image.h"

namespace hither::runtime {

struct KernelState;
class DriverContext;
class DriverQueue;
class NativeObjects;

/// What a driver knows of a device; filled in once.
struct DeviceFacts {
  Backend backend = Backend::kNativeCpu;
  DeviceType type = DeviceType::kCpu;
  uint32_t aspects = 0;  ///< bit i: static_cast<Aspect>(i)
  std::map<std::string, InfoValue, std::less<>> info;
  target::Target target;
  /// Plain host code reads and writes this device's "device" USM (a CPU).
  bool device_usm_is_host_memory = false;
  int64_t max_work_group_size = 1;
  int64_t local_mem_bytes = 0;

  bool has(Aspect a) const noexcept { return (aspects >> static_cast<int>(a)) & 1; }
  void set(Aspect a) noexcept { aspects |= 1u << static_cast<int>(a); }
};

class DriverDevice {
 public:
  virtual ~DriverDevice() = default;
  virtual const DeviceFacts& facts() const noexcept = 0;
  /// The back end's own number of the device, as other libraries of the process count; or -1.
  virtual int native_number() const noexcept { return -1; }

  /// Sub-devices; `counts` holds the units of each for kEqually (all the same) and kByCounts,
  /// `domain` is SYCL's name ("numa", "L2_cache", "next_partitionable") for kByAffinity. The
  /// runtime has checked counts against max_compute_units. Error kUnsupported when it cannot.
  virtual std::vector<std::shared_ptr<DriverDevice>> partition(PartitionKind kind,
                                                               std::span<const int64_t> counts,
                                                               std::string_view domain) = 0;

  /// A context of these devices, which all came from one Driver; this is the first of them.
  virtual std::unique_ptr<DriverContext> make_context(
      std::span<const std::shared_ptr<DriverDevice>> devices) = 0;
  /// The context of everyone who asks for none of their own. A back end may have one that other
  /// libraries in the process use too. `self` is this device.
  virtual std::unique_ptr<DriverContext> make_default_context(
      const std::shared_ptr<DriverDevice>& self) {
    return make_context(std::span(&self, 1));
  }

  /// The device's BLAS, opened at the first call; null when there is none, and arrays use kernels.
  virtual const Blas* blas() { return nullptr; }
};

/// One allocation: what a context gave and takes back.
struct Block {
  void* data = nullptr;
  size_t bytes = 0;
  size_t alignment = 64;
  UsmType type = UsmType::kDevice;
  int device = 0;  ///< index into the context's devices
  /// Not 0: the first use is by tasks that the queue of this DriverQueue::order() gets from now on.
  uint64_t order = 0;
};

class DriverContext {
 public:
  virtual ~DriverContext() = default;

  /// Memory from the context's pool into `block.data`, the rest of `block` being the request. False
  /// when the memory is exhausted, the driver's own pools of all contexts having been trimmed.
  /// Error kDevice when a fault lost the context.
  virtual bool allocate(Block& block) = 0;
  /// Gives back, for reuse after `last_uses` (which may have ended) have ended. Never waits.
  virtual void release(const Block& block, std::span<const Event> last_uses) noexcept = 0;
  /// The live allocation that holds `pointer`.
  virtual std::optional<Block> find(const void* pointer) const = 0;
  /// The same for memory that another library allocated in the back end's own context.
  virtual std::optional<Block> find_foreign(const void*) const { return std::nullopt; }
  virtual PoolUse pool_use() const = 0;
  virtual void trim() = 0;

  /// Makes code ready to launch. The runtime fills in what KernelState itself has. Error kDevice,
  /// kUnsupported when the image is not for this device.
  virtual std::shared_ptr<KernelState> load(std::shared_ptr<const target::CodeImage> image) = 0;

  /// `device` is one of the context's. Tasks log their failures in `failures`.
  virtual std::unique_ptr<DriverQueue> make_queue(const std::shared_ptr<DriverDevice>& device,
                                                  QueueProperties properties,
                                                  std::shared_ptr<FailureLog> failures) = 0;

  /// The back end's own object, for other libraries that use it: a sycl::context*, or null.
  virtual const void* native_object() const noexcept { return nullptr; }
};

[[noreturn]] inline void refuse_streams() {
  throw Error(ErrorKind::kUnsupported, "stream",
              "the device's back end has no queues that libraries put work into");
}

/// Arguments of submissions are copied before they return. Destroying a queue neither waits for its
/// tasks nor cancels them.
class DriverQueue {
 public:
  virtual ~DriverQueue() = default;

  /// At least one work-item; the kernel is of this context; arguments have its packed size.
  virtual Event launch(const Kernel& kernel, const NdRange& range,
                       std::span<const std::byte> arguments, std::span<const Event> depends_on) = 0;
  /// A number of its own for an in-order queue, where pools reuse what its tasks still use; else 0.
  virtual uint64_t order() const noexcept { return 0; }
  /// Between USM of this context and memory the host reaches. bytes > 0.
  virtual Event copy(void* to, const void* from, size_t bytes,
                     std::span<const Event> depends_on) = 0;
  /// Whether copy() takes device USM of another device's default context too.
  virtual bool reaches(const DriverDevice&) const { return false; }
  /// pattern_bytes in {1, 2, 4, 8, 16}; count > 0.
  virtual Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
                     std::span<const Event> depends_on) = 0;
  virtual Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) = 0;
  /// What `work` throws becomes the error of its event.
  virtual Event submit_host(std::function<void()> work, std::span<const Event> depends_on) = 0;
  /// Ends after all tasks submitted before it and after `depends_on`, whose errors alone it takes
  /// over.
  virtual Event submit_barrier(std::span<const Event> depends_on) = 0;
  /// Whether a submission waits, in the caller's thread, for dependencies that have not ended.
  virtual bool submission_waits() const noexcept { return false; }
  /// Blocks until all submitted tasks ended and their failures are logged. Does not throw for them.
  virtual void wait() = 0;

  /// At exit: logs failures that nobody has waited for, of the tasks that the back end waits for.
  virtual void log_ended_failures() noexcept {}

  /// The back end's own object: a sycl::queue*, or null.
  virtual const void* native_object() const noexcept { return nullptr; }
  /// The same, for other libraries that use it. What they submit to it from now on is in order with
  /// what is submitted here, in out-of-order queues as well, except for host tasks, the open ones
  /// of which are waited for.
  virtual const void* share() { return native_object(); }
  virtual bool is_shared() const noexcept { return false; }
  /// Whether the back end may hold back what others submit, where no barrier of ours waits for it.
  virtual bool may_delay_foreign_commands() const noexcept { return false; }
  /// Waits until none of these (sycl::event*) is held back. Under no lock, and without the GIL.
  virtual void wait_for_foreign_commands(std::span<const void* const> /*native_events*/) {}

  // Back ends whose libraries put work into queues of the back end's own (CUDA's streams, SYCL):

  /// The CUDA stream of this queue's tasks, or of some of them; null where the back end is another.
  virtual void* stream() const noexcept { return nullptr; }
  /// What libraries put work into: that stream, or a sycl::queue*; null where there is neither.
  virtual void* native_queue() noexcept { return stream(); }
  /// `give` puts work into the native queue that it is called with, once all of `depends_on` is
  /// there. It is called under a lock, now or later, and is no user's code.
  virtual Event submit_native(std::function<void(void* native_queue)> /*give*/,
                              std::span<const Event> /*depends_on*/) {
    refuse_streams();
  }
  /// What the native queue is given from now on runs after `events`. The host waits for those alone
  /// that the back end does not have. Null: CUDA's stream of libraries that were told of none.
  virtual void make_native_wait(void* /*native_queue*/, std::span<const Event> /*events*/) {
    refuse_streams();
  }
  /// Ends after all that the native queue was given so far. Null as above.
  virtual Event record_native_event(void* /*native_queue*/) { refuse_streams(); }
  /// Makes the back end's own context the thread's current one until the result goes.
  virtual std::shared_ptr<const void> make_current() const { return nullptr; }
  /// Memory of the queue's context becomes other libraries' as well: is_shared() from now on.
  virtual void share_memory() {}
};

class Driver {
 public:
  virtual ~Driver() = default;
  /// Root devices, in the driver's order. Called once.
  virtual std::vector<std::shared_ptr<DriverDevice>> devices() = 0;
  /// Why there are none, or why some are missing (a missing vendor library is no error), for
  /// `hither info` and messages. Asked for after devices().
  virtual std::string absence() const { return {}; }
  /// What other libraries of the process have of the same back end library; null where none can.
  virtual NativeObjects* native_objects() { return nullptr; }
};

}  // namespace hither::runtime
