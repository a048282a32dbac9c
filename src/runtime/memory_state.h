// What stands behind a Memory.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include <hither/memory.h>

#include "runtime/driver.h"

namespace hither::runtime {

struct AllocationState {
  AllocationState(const Queue& q, const Block& b);
  AllocationState(const AllocationState&) = delete;
  AllocationState& operator=(const AllocationState&) = delete;
  /// Returns the block, or calls release_foreign, after last_uses ended; never waits for them.
  ~AllocationState();

  Queue queue;
  Block block;
  bool is_foreign = false;
  bool host_accessible = false;
  /// Work of others in streams of theirs uses it too, and comes before its return.
  std::atomic<bool> is_lent{false};
  std::function<void()> release_foreign;

  std::mutex mutex;  ///< of last_uses
  std::vector<Event> last_uses;
};

/// Whether kernels on the queue read and write plain host memory, and the host device USM: a CPU,
/// but for HITHER_STRICT_USM=1.
bool shares_memory_with_host(const Queue& queue) noexcept;

}  // namespace hither::runtime
