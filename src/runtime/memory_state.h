// The state of a Memory.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include <hither/memory.h>
#include <hither/queue.h>

namespace hither::runtime {

/// One allocation of a context: the address, and the request that it answers.
struct Block {
  void* data = nullptr;
  size_t bytes = 0;
  size_t alignment = 64;
  UsmType type = UsmType::kDevice;
  int device = 0;  ///< index into the context's devices
  /// If not 0, the first use is by tasks submitted from now on to the queue with this
  /// DriverQueue::order().
  uint64_t order = 0;
  /// Whether to fail rather than take memory from the system. Small requests may do that all the
  /// same.
  bool only_cached = false;
};

struct AllocationState {
  AllocationState(const Queue& q, const Block& b);
  AllocationState(const AllocationState&) = delete;
  AllocationState& operator=(const AllocationState&) = delete;
  /// Returns the block or calls release_foreign after last_uses have ended; never waits for them.
  ~AllocationState();

  Queue queue;
  Block block;
  bool is_foreign = false;
  bool host_accessible = false;
  /// Whether other libraries use it in their own streams. Their work is ordered before its return.
  std::atomic<bool> is_lent{false};
  std::function<void()> release_foreign;

  std::mutex mutex;  ///< of last_uses
  std::vector<Event> last_uses;
};

/// Whether kernels on the queue can access plain host memory, and the host can access device USM:
/// on CPUs, unless HITHER_STRICT_USM=1.
bool shares_memory_with_host(const Queue& queue) noexcept;

}  // namespace hither::runtime
