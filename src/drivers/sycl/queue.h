// A queue of SYCL.
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

/// What depends on nothing but tasks of the same context goes to SYCL at once. The rest, host work
/// and what comes after it, is a HostTask, whose thread submits it when its turn has come. On an
/// in-order queue, whatever follows an unfinished HostTask is one too.
class SyclQueue final : public runtime::DriverQueue {
 public:
  /// `native` may be another library's: then it is to be shared. Without `has_usm` its memory is
  /// the host's, and the host copies and fills it.
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
  bool may_delay_foreign_commands() const noexcept override { return shared_ && is_fenced_by_opencl_; }
  void wait_for_foreign_commands(std::span<const void* const> native_events) override;

  void* native_queue() noexcept override { return has_usm_ ? &native_ : nullptr; }
  Event submit_native(std::function<void(void* native_queue)> give,
                      std::span<const Event> depends_on) override;
  void make_native_wait(void* native_queue, std::span<const Event> events) override;
  Event record_native_event(void* native_queue) override;

 private:
  using Natives = std::vector<::sycl::event>;
  /// Submits to a queue of SYCL, after these events.
  using Command = std::function<::sycl::event(::sycl::queue& queue, const Natives& after)>;
  /// A command between two barriers, for out-of-order queues to which others submit too.
  static ::sycl::event fenced(const Command& command, ::sycl::queue& queue, const Natives& after);
  /// Ends when all has that is in the queue. In a shared one no barrier of SYCL's is put (fence.h).
  static ::sycl::event end_of_all(::sycl::queue& queue, bool shared);
  bool needs_fences() const noexcept { return shared_ && !properties_.in_order; }
  /// What a submission depends on, by who has it.
  struct Dependencies {
    Natives native;
    std::vector<Event> may_fail;  ///< of the unfinished ones that SYCL has
    bool host = false;            ///< there are others
    std::optional<Error> failed;
  };
  Dependencies sort(std::span<const Event> depends_on) const;
  Event submit(Command command, std::span<const Event> depends_on,
               std::unique_ptr<ErrorReport> report = nullptr, bool after_all = false);
  /// Under mutex_, as are the next ones.
  Event submit_at_once(const Command& command, Dependencies dependencies,
                       std::unique_ptr<ErrorReport> report, bool fences);
  /// Lets go of `lock`.
  Event submit_to_host(std::unique_lock<std::mutex>& lock, runtime::HostTask::Work work,
                       std::span<const Event> depends_on, bool after_all);
  Event failed(const Error& error);
  std::vector<Event> open_host_tasks();
  void look_after(std::shared_ptr<DeviceTask> task);
  /// For a command that had to be held back.
  runtime::HostTask::Work work_of(Command command, std::unique_ptr<ErrorReport> report) const;

  ::sycl::queue native_;
  const uint64_t number_;  ///< of this queue in the process
  const QueueProperties properties_;
  const bool has_usm_;
  const bool is_fenced_by_opencl_;
  std::atomic<bool> shared_{false};
  const std::shared_ptr<RecordPool> records_;
  const std::shared_ptr<runtime::FailureLog> failures_;

  std::mutex mutex_;  ///< of what follows, and of the order of submissions
  uint64_t submitted_ = 0;
  std::shared_ptr<DeviceTask> last_;  ///< that went to SYCL at once
  /// The unfinished ones, and some others; in order, the last alone.
  std::vector<std::weak_ptr<runtime::HostTask>> host_tasks_;
  size_t sweep_at_ = 64;                              ///< length at which the others go
  std::deque<std::shared_ptr<DeviceTask>> may_fail_;  ///< whose ends nobody may have asked for
};

/// For SYCL's asynchronous errors.
::sycl::async_handler log_failures(std::shared_ptr<runtime::FailureLog> failures);

}  // namespace hither::drivers::sycl
