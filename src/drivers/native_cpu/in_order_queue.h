// An in-order queue of the CPU, whose work runs in the caller's thread and is complete on return.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "drivers/native_cpu/arena.h"
#include "drivers/native_cpu/task.h"
#include "process/mutex.h"
#include "runtime/driver.h"

namespace hither::drivers::native_cpu {

/// It runs one task at a time, in the order in which the calls lock execution_mutex_. Work that a
/// host task submits to its own queue has to run after the host task. It is deferred, and runs when
/// the host task has returned, before the mutex is unlocked.
class InOrderQueue final : public runtime::DriverQueue {
 public:
  InOrderQueue(std::shared_ptr<Arena> arena, bool profiling,
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
  bool submission_waits() const noexcept override { return !in_own_host_task(); }
  void wait() override;

 private:
  /// Waits for the dependencies, locks execution_mutex_ and calls work(), which returns an
  /// optional<Error>. own() makes a Work that may outlive the call.
  template <class Now, class Own>
  Event run(std::span<const Event> depends_on, const Now& work, const Own& own);
  std::unique_lock<process::Mutex> lock_for_execution();
  Event defer(std::span<const Event> depends_on, Work work);
  void run_deferred() noexcept;
  Event ended(std::optional<Error> error, runtime::ProfilingTimes times);
  bool in_own_host_task() const noexcept;

  std::shared_ptr<Arena> arena_;
  std::shared_ptr<runtime::FailureLog> failures_;
  const bool profiling_;
  process::Mutex execution_mutex_;
  /// Identifies the thread that runs a host task of this queue; null if there is none.
  std::atomic<const void*> host_task_thread_{nullptr};
  std::atomic<uint64_t> failed_{0};              ///< number of failures
  std::vector<std::shared_ptr<Task>> deferred_;  ///< under execution_mutex_
};

}  // namespace hither::drivers::native_cpu
