// A SYCL queue.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include <sycl/sycl.hpp>

#include "drivers/sycl/device_task.h"
#include "runtime/driver.h"
#include "runtime/host_task.h"

namespace hither::drivers::sycl {

/// A command that depends only on tasks of the same context is submitted to SYCL at once. Other
/// commands, which are host work or depend on host work, become HostTasks: a thread submits them
/// when their dependencies have ended. On an in-order queue every command after an unfinished
/// HostTask is a HostTask.
class SyclQueue final : public runtime::DriverQueue {
 public:
  /// `native` may be another library's; then call share(). Without `has_usm` the device uses host
  /// memory, which the host copies and fills.
  SyclQueue(::sycl::queue native, QueueProperties properties, bool has_usm,
            std::shared_ptr<RecordPool> records, std::shared_ptr<runtime::FailureLog> failures);
  ~SyclQueue() override;

  Event launch(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
               std::span<const Event> depends_on) override;
  uint64_t order() const noexcept override { return properties_.in_order ? number_ : 0; }
  Event copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) override;
  Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
             std::span<const Event> depends_on) override;
  Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) override;
  Event submit_host(std::function<void()> work, std::span<const Event> depends_on) override;
  Event submit_barrier(std::span<const Event> depends_on) override;
  void wait() override;
  void log_ended_failures() noexcept override;

  const void* native_object() const noexcept override { return &native_; }
  const void* share() override;
  bool is_shared() const noexcept override { return shared_; }
  bool may_delay_foreign_commands() const noexcept override {
    return shared_ && is_fenced_by_opencl_;
  }
  void wait_for_foreign_commands(std::span<const void* const> native_events) override;

  void* native_queue() noexcept override { return has_usm_ ? &native_ : nullptr; }
  Event submit_native(std::function<void(void* native_queue)> give,
                      std::span<const Event> depends_on) override;
  void make_native_wait(void* native_queue, std::span<const Event> events) override;
  Event record_native_event(void* native_queue) override;

 private:
  using Natives = std::vector<::sycl::event>;
  /// Submits a command to a SYCL queue, after these events.
  using Command = std::function<::sycl::event(::sycl::queue& queue, const Natives& after)>;
  /// Submits a command between two fences, for shared out-of-order queues.
  static ::sycl::event fenced(const Command& command, ::sycl::queue& queue, const Natives& after);
  /// Returns an event that ends after all commands of the queue. In a shared queue it avoids SYCL's
  /// barriers (fence.h).
  static ::sycl::event end_of_all(::sycl::queue& queue, bool shared);
  bool needs_fences() const noexcept { return shared_ && !properties_.in_order; }
  /// The dependencies of a submission, by owner.
  struct Dependencies {
    Natives native;
    std::vector<Event> may_fail;  ///< unfinished ones that SYCL has
    bool host = false;            ///< some belong to the host
    std::optional<Error> failed;
  };
  Dependencies sort(std::span<const Event> depends_on) const;
  Event submit(Command command, std::span<const Event> depends_on,
               std::unique_ptr<ErrorReport> report = nullptr, bool after_all = false);
  /// Called with mutex_ locked, as are the next functions.
  Event submit_at_once(const Command& command, Dependencies dependencies,
                       std::unique_ptr<ErrorReport> report, bool fences);
  /// Unlocks `lock`.
  Event submit_to_host(std::unique_lock<std::mutex>& lock, runtime::HostTask::Work work,
                       std::span<const Event> depends_on, bool after_all);
  Event failed(const Error& error);
  std::vector<Event> open_host_tasks();
  void look_after(std::shared_ptr<DeviceTask> task);
  /// Host work that submits a deferred command.
  runtime::HostTask::Work work_of(Command command, std::unique_ptr<ErrorReport> report) const;

  ::sycl::queue native_;
  const uint64_t number_;  ///< identifies the queue in this process
  const QueueProperties properties_;
  const bool has_usm_;
  const bool is_fenced_by_opencl_;
  std::atomic<bool> shared_{false};
  const std::shared_ptr<RecordPool> records_;
  const std::shared_ptr<runtime::FailureLog> failures_;

  std::mutex mutex_;  ///< protects the order of submissions and the members below
  uint64_t submitted_ = 0;
  std::shared_ptr<DeviceTask> last_;  ///< submitted to SYCL directly
  /// Unfinished host tasks and some completed ones; in an in-order queue only the last one.
  std::vector<std::weak_ptr<runtime::HostTask>> host_tasks_;
  size_t sweep_at_ = 64;  ///< length at which completed ones are removed
  std::deque<std::shared_ptr<DeviceTask>> may_fail_;  ///< their errors may be undetermined
};

/// The handler of SYCL's asynchronous errors.
::sycl::async_handler log_failures(std::shared_ptr<runtime::FailureLog> failures);

}  // namespace hither::drivers::sycl
