// An out-of-order queue of the CPU, whose tasks run concurrently as their dependencies allow.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "drivers/native_cpu/task.h"
#include "runtime/driver.h"

namespace hither::drivers::native_cpu {

class OutOfOrderQueue final : public runtime::DriverQueue {
 public:
  OutOfOrderQueue(std::shared_ptr<Arena> arena, bool profiling,
                  std::shared_ptr<runtime::FailureLog> failures)
      : arena_(std::move(arena)), failures_(std::move(failures)), profiling_(profiling) {}

  Event launch(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
               std::span<const Event> depends_on) override;
  Event copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) override;
  Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
             std::span<const Event> depends_on) override;
  Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) override;
  Event submit_host(std::function<void()> work, std::span<const Event> depends_on) override;
  Event submit_barrier(std::span<const Event> depends_on) override;
  void wait() override;

 private:
  Event submit(Work work, std::span<const Event> depends_on, bool after_all = false);
  /// The unfinished tasks. Called with mutex_ locked.
  std::vector<Event> open_tasks();

  std::shared_ptr<Arena> arena_;
  std::shared_ptr<runtime::FailureLog> failures_;
  const bool profiling_;
  std::mutex mutex_;
  uint64_t submitted_ = 0;
  std::vector<std::weak_ptr<Task>> tasks_;  ///< unfinished tasks and some completed ones
  size_t sweep_at_ = 64;                    ///< size at which completed ones are removed
};

}  // namespace hither::drivers::native_cpu
