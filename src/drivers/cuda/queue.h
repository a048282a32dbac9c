// A queue of CUDA.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "drivers/cuda/context.h"
#include "drivers/cuda/device_task.h"
#include "drivers/cuda/lanes.h"
#include "runtime/driver.h"
#include "runtime/host_task.h"

namespace hither::drivers::cuda {

/// A command that depends only on tasks of this driver is submitted to CUDA at once. Other
/// commands, which are host work or depend on host work, become HostTasks: a thread submits them
/// when their dependencies have ended. On an in-order queue every command after an unfinished
/// HostTask is a HostTask.
class CudaQueue final : public runtime::DriverQueue {
 public:
  CudaQueue(ContextPart part, QueueProperties properties,
            std::shared_ptr<runtime::FailureLog> failures);
  ~CudaQueue() override;

  Event launch(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
               std::span<const Event> depends_on) override;
  Event copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) override;
  uint64_t order() const noexcept override { return properties_.in_order ? number_ : 0; }
  bool reaches(const runtime::DriverDevice& device) const override;
  Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
             std::span<const Event> depends_on) override;
  Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) override;
  Event submit_host(std::function<void()> work, std::span<const Event> depends_on) override;
  Event submit_barrier(std::span<const Event> depends_on) override;
  void wait() override;
  void log_ended_failures() noexcept override;

  bool is_shared() const noexcept override { return part_.native->is_shared(); }
  void* stream() const noexcept override { return lanes_->first(); }
  Event submit_native(std::function<void(void* stream)> give,
                      std::span<const Event> depends_on) override;
  void make_native_wait(void* stream, std::span<const Event> events) override;
  Event record_native_event(void* stream) override;
  std::shared_ptr<const void> make_current() const override {
    return std::make_shared<const Current>(*part_.native);
  }
  void share_memory() override { part_.native->share(); }

 private:
  /// The dependencies of a submission, by owner.
  struct Dependencies {
    Lanes::Waits native;
    std::vector<Event> may_fail;  ///< unfinished ones that CUDA has
    bool host = false;            ///< some belong to the host
    std::optional<Error> failed;
  };
  Dependencies sort(std::span<const Event> depends_on) const;
  Event submit(Command command, std::span<const Event> depends_on, bool after_all = false);
  /// The same for a command that refers to the caller's stack: `kept` makes a command that owns its
  /// data.
  Event submit(const Command& command, const std::function<Command()>& kept,
               std::span<const Event> depends_on, std::unique_ptr<ErrorReport> report,
               bool after_all);
  /// Host work that itself waits for the device.
  Event submit_work(std::function<void()> work, std::span<const Event> depends_on,
                    const char* where);
  /// Copies from, to or within pageable memory.
  Event copy_pageable(void* to, const void* from, size_t bytes, bool to_pageable,
                      bool from_pageable, std::span<const Event> depends_on);
  /// Called with mutex_ locked, as are the next functions.
  Event submit_native(const Command& command, Dependencies dependencies,
                      std::unique_ptr<ErrorReport> report, bool after_all);
  /// Unlocks `lock`.
  Event submit_to_host(std::unique_lock<std::mutex>& lock, runtime::HostTask::Work work,
                       std::span<const Event> depends_on, bool after_all);
  Event failed(const Error& error);
  std::vector<Event> open_host_tasks();
  void look_after(std::shared_ptr<DeviceTask> task);
  /// Host work that submits a deferred command.
  runtime::HostTask::Work work_of(Command command, std::unique_ptr<ErrorReport> report,
                                  bool after_all) const;

  const ContextPart part_;
  const uint64_t number_ = runtime::HostTask::new_queue_number();
  const uint64_t foreign_number_ = runtime::HostTask::new_queue_number();
  const QueueProperties properties_;
  const std::shared_ptr<runtime::FailureLog> failures_;
  const std::shared_ptr<Lanes> lanes_;
  std::shared_ptr<Progress> progress_;  ///< of an in-order queue

  std::mutex mutex_;  ///< protects the order of submissions and the members below
  uint64_t submitted_ = 0;
  std::shared_ptr<DeviceTask> last_;  ///< submitted to CUDA directly
  /// Unfinished host tasks and some completed ones; in an in-order queue only the last one.
  std::vector<std::weak_ptr<runtime::HostTask>> host_tasks_;
  size_t sweep_at_ = 64;  ///< length at which completed ones are removed
  std::deque<std::shared_ptr<DeviceTask>> may_fail_;  ///< their errors may be undetermined
};

}  // namespace hither::drivers::cuda
