// The contract between the runtime and a back end: the classes that a driver implements.
//
// Driver            finds devices                        one per back end library
//   DriverDevice    facts, partition, make_context       one per device or sub-device
//     DriverContext memory pools, kernels, make_queue    one per hither::Context
//       DriverQueue takes tasks, gives Events            one per hither::Queue
//
// The runtime has checked every argument before a driver sees it. All members are thread-safe.
// Failures of a call are thrown as Error; failures of a submitted task are stored in its Event, in
// every Event that depends on it (the same Error), and in the queue's FailureLog. A task whose
// dependency is known to have failed does not run. A task that is already enqueued on a device may
// run; its Event has the error all the same.
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
#include "runtime/sort_library.h"
#include "target/code_image.h"

namespace hither::runtime {

struct KernelState;
class DriverContext;
class DriverQueue;
class NativeObjects;

/// The properties of a device, which its driver determines once.
struct DeviceFacts {
  Backend backend = Backend::kNativeCpu;
  DeviceType type = DeviceType::kCpu;
  uint32_t aspects = 0;  ///< bit i: static_cast<Aspect>(i)
  /// Required: name, vendor, version, driver_version, platform_name, max_compute_units,
  /// max_work_group_size, global_mem_size, local_mem_size.
  std::map<std::string, InfoValue, std::less<>> info;
  target::Target target;
  /// Whether host code can access this device's "device" USM (a CPU).
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
  /// The back end's ordinal of the device, as other libraries of the process count; or -1.
  virtual int native_number() const noexcept { return -1; }

  /// Sub-devices; `counts` holds the units of each for kEqually (all the same) and kByCounts,
  /// `domain` is SYCL's name ("numa", "L2_cache", "next_partitionable") for kByAffinity. The
  /// runtime has checked counts against max_compute_units. Error kUnsupported if the device cannot
  /// be partitioned so.
  virtual std::vector<std::shared_ptr<DriverDevice>> partition(PartitionKind kind,
                                                               std::span<const int64_t> counts,
                                                               std::string_view domain) = 0;

  /// A context of these devices, which all came from one Driver; this is the first of them.
  virtual std::unique_ptr<DriverContext> make_context(
      std::span<const std::shared_ptr<DriverDevice>> devices) = 0;
  /// The default context. A back end may use one that other libraries in the process use too.
  /// `self` is this device.
  virtual std::unique_ptr<DriverContext> make_default_context(
      const std::shared_ptr<DriverDevice>& self) {
    return make_context(std::span(&self, 1));
  }

  /// The device's BLAS, opened at the first call; null if there is none: then arrays use kernels.
  virtual const Blas* blas() { return nullptr; }
  /// The device's sort of host memory; null if there is none.
  virtual const SortLibrary* sort_library() { return nullptr; }
};

/// One allocation of a context.
struct Block {
  void* data = nullptr;
  size_t bytes = 0;
  size_t alignment = 64;
  UsmType type = UsmType::kDevice;
  int device = 0;  ///< index into the context's devices
  /// If not 0, the first use is by tasks submitted from now on to the queue with this
  /// DriverQueue::order().
  uint64_t order = 0;
};

class DriverContext {
 public:
  virtual ~DriverContext() = default;

  /// Allocates from the context's pool. `block.data` receives the address; the other members are
  /// the request. Returns false if memory is exhausted even after the driver's pools of all
  /// contexts have been trimmed. Error kDevice if a fault lost the context.
  virtual bool allocate(Block& block) = 0;
  /// Returns the block for reuse after `last_uses` have ended. Never waits.
  virtual void release(const Block& block, std::span<const Event> last_uses) noexcept = 0;
  /// The live allocation that holds `pointer`.
  virtual std::optional<Block> find(const void* pointer) const = 0;
  /// The same for memory that another library allocated in the back end's own context.
  virtual std::optional<Block> find_foreign(const void*) const { return std::nullopt; }
  virtual PoolUse pool_use() const = 0;
  /// The most bytes that the pools have held at once.
  virtual size_t peak_held_bytes() const = 0;
  /// Bytes that the system can still give to this context's devices, if it says so.
  virtual std::optional<size_t> free_bytes() const { return std::nullopt; }
  virtual void trim() = 0;

  /// Makes code ready to launch. The runtime sets the members of KernelState itself. Error kDevice;
  /// kUnsupported if the image is not for this device.
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
              "the device's back end has no native queues for library calls");
}

/// Arguments of submissions are copied before they return. Destroying a queue neither waits for its
/// tasks nor cancels them.
class DriverQueue {
 public:
  virtual ~DriverQueue() = default;

  /// The range has at least one work-item, the kernel is of this context, and the arguments have
  /// the kernel's packed size.
  virtual Event launch(const Kernel& kernel, const NdRange& range,
                       std::span<const std::byte> arguments, std::span<const Event> depends_on) = 0;
  /// For an in-order queue whose pools reuse memory that its tasks still use: a number that
  /// identifies the queue; else 0.
  virtual uint64_t order() const noexcept { return 0; }
  /// Copies between USM of this context and host-accessible memory. bytes > 0.
  virtual Event copy(void* to, const void* from, size_t bytes,
                     std::span<const Event> depends_on) = 0;
  /// Whether copy() also accepts device USM of another device's default context.
  virtual bool reaches(const DriverDevice&) const { return false; }
  /// pattern_bytes in {1, 2, 4, 8, 16}; count > 0.
  virtual Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
                     std::span<const Event> depends_on) = 0;
  virtual Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) = 0;
  /// An exception from `work` becomes the error of its event.
  virtual Event submit_host(std::function<void()> work, std::span<const Event> depends_on) = 0;
  /// Ends after all tasks submitted before it and after `depends_on`. Only errors of `depends_on`
  /// become its error.
  virtual Event submit_barrier(std::span<const Event> depends_on) = 0;
  /// Whether a submission waits in the caller's thread for unfinished dependencies.
  virtual bool submission_waits() const noexcept { return false; }
  /// Blocks until all submitted tasks ended and their failures are logged. Does not throw for them.
  virtual void wait() = 0;

  /// At exit: logs unreported failures of the tasks for which the back end waits.
  virtual void log_ended_failures() noexcept {}

  /// The back end's own object: a sycl::queue*, or null.
  virtual const void* native_object() const noexcept { return nullptr; }
  /// The same object, shared with other libraries. From now on their commands are ordered with
  /// those of this queue, in out-of-order queues as well. Host tasks are excepted: the call waits
  /// for the unfinished ones.
  virtual const void* share() { return native_object(); }
  virtual bool is_shared() const noexcept { return false; }
  /// Whether the back end may delay commands of other libraries without hither's barriers waiting
  /// for them.
  virtual bool may_delay_foreign_commands() const noexcept { return false; }
  /// Waits until the device has received all of these commands (sycl::event*). Call it without a
  /// lock and without the GIL.
  virtual void wait_for_foreign_commands(std::span<const void* const> /*native_events*/) {}

  // Back ends with native queues to which libraries submit work (CUDA streams, sycl::queue):

  /// The CUDA stream of this queue's tasks, or of some of them; null for other back ends.
  virtual void* stream() const noexcept { return nullptr; }
  /// The native queue: that stream, or a sycl::queue*; null if there is neither.
  virtual void* native_queue() noexcept { return stream(); }
  /// Calls `give`, which submits work to the native queue that it receives; the work runs after
  /// `depends_on`. `give` is called under a lock, now or later, and must not be user code.
  virtual Event submit_native(std::function<void(void* native_queue)> /*give*/,
                              std::span<const Event> /*depends_on*/) {
    refuse_streams();
  }
  /// Work that the native queue receives from now on runs after `events`. The host waits only for
  /// events that are not the back end's. Null stands for CUDA's legacy default stream.
  virtual void make_native_wait(void* /*native_queue*/, std::span<const Event> /*events*/) {
    refuse_streams();
  }
  /// Ends after all work that the native queue has received so far. Null as above.
  virtual Event record_native_event(void* /*native_queue*/) { refuse_streams(); }
  /// Makes the native context current in this thread until the result is destroyed.
  virtual std::shared_ptr<const void> make_current() const { return nullptr; }
  /// Shares memory of the queue's context with other libraries: is_shared() is true from now on.
  virtual void share_memory() {}
};

class Driver {
 public:
  virtual ~Driver() = default;
  /// Root devices, in the driver's order. Called once.
  virtual std::vector<std::shared_ptr<DriverDevice>> devices() = 0;
  /// Why there are no devices, or why some are missing, for `hither info` and messages. A missing
  /// vendor library is not an error. Called after devices().
  virtual std::string absence() const { return {}; }
  /// Access to native objects that other libraries of the process made with the same back end
  /// library; null if there can be none.
  virtual NativeObjects* native_objects() { return nullptr; }
};

}  // namespace hither::runtime
