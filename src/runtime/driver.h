// The contract between the runtime and a back end: the classes that a driver implements.
// Driver            finds devices                        one per back end library
//   DriverDevice    facts, partition, make_context       one per device or sub-device
//     DriverContext memory pools, kernels, make_queue    one per hither::Context
//       DriverQueue takes tasks, gives Events            one per hither::Queue
// The runtime has checked every argument before a driver sees it. All members are thread-safe.
// Failures of a call are thrown as Error; failures of a submitted task are stored in its Event, in
// every Event that depends on it (the same Error), and in the queue's FailureLog. A task whose
// dependency is known to have failed does not run. A task that is already enqueued on a device may
// run; its Event has the error all the same.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <hither/kernel.h>
#include <hither/memory.h>
#include <hither/queue.h>

#include "runtime/device_facts.h"
#include "runtime/event_state.h"
#include "runtime/failure_log.h"
#include "runtime/math_library.h"
#include "runtime/memory_state.h"
#include "runtime/sort_library.h"
#include "runtime/sparse_library.h"
#include "target/code_image.h"

namespace hither::runtime {

struct KernelState;
class DriverContext;
class DriverQueue;
class NativeObjects;
class QueueInterop;

class DriverDevice {
 public:
  virtual ~DriverDevice() = default;
  virtual const DeviceFacts& facts() const noexcept = 0;
  /// The back end's ordinal of the device, as other libraries of the process count; or -1.
  virtual int native_number() const noexcept { return -1; }
  /// Sub-devices; `counts` holds the units of each for kEqually (all the same) and kByCounts,
  /// `domain` is "numa", "L2_cache" or "next_partitionable" for kByAffinity. The runtime has
  /// checked counts against max_compute_units. Error kUnsupported if the device cannot be
  /// partitioned so.
  virtual std::vector<std::shared_ptr<DriverDevice>> partition(PartitionKind kind,
                                                               std::span<const int64_t> counts,
                                                               std::string_view domain) = 0;
  /// A context of these devices, which all came from one Driver; this is the first of them.
  virtual std::unique_ptr<DriverContext> make_context(
      std::span<const std::shared_ptr<DriverDevice>> devices) = 0;
  /// The default context, which other libraries in the process may use too. `self` is this device.
  virtual std::unique_ptr<DriverContext> make_default_context(
      const std::shared_ptr<DriverDevice>& self) {
    return make_context(std::span(&self, 1));
  }
  /// The device's BLAS, opened at the first call; null if there is none: then arrays use kernels.
  virtual const Blas* blas() { return nullptr; }
  /// The device's products of sparse matrices, as blas().
  virtual const SparseLibrary* sparse_library() { return nullptr; }
  /// The device's sort of host memory; null if there is none.
  virtual const SortLibrary* sort_library() { return nullptr; }
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
  /// Returns the pools' memory without owner to the system. Waits for work that still uses it.
  virtual void trim() = 0;
  /// The same for memory that no work uses any more. Does not wait: the caller may hold locks.
  virtual void trim_idle() { trim(); }
  /// Makes code ready to launch. The runtime sets the members of KernelState itself. Error kDevice;
  /// kUnsupported if the image is not for this device.
  virtual std::shared_ptr<KernelState> load(std::shared_ptr<const target::CodeImage> image) = 0;
  /// `device` is one of the context's. Tasks log their failures in `failures`.
  virtual std::unique_ptr<DriverQueue> make_queue(const std::shared_ptr<DriverDevice>& device,
                                                  QueueProperties properties,
                                                  std::shared_ptr<FailureLog> failures) = 0;

  /// The back end's own object, for other libraries that use it; null if they use none.
  virtual const void* native_object() const noexcept { return nullptr; }
};

/// Arguments of submissions are copied before they return. Destroying a queue neither waits for its
/// tasks nor cancels them. A back end that runs commands asynchronously derives from DeviceQueue
/// (device_queue.h), which holds the order of tasks.
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
  /// At exit: waits for tasks, at most for a second, and logs unreported failures.
  virtual void log_ended_failures() noexcept {}
  /// The queue's interoperability with other libraries; null if its back end has none.
  virtual QueueInterop* interop() noexcept { return nullptr; }
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
