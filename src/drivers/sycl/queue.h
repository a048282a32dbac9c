// A SYCL queue.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include <sycl/sycl.hpp>

#include "drivers/sycl/device_task.h"
#include "runtime/device_queue.h"
#include "runtime/queue_interop.h"

namespace hither::drivers::sycl {

class SyclQueue final : public runtime::DeviceQueue, private runtime::QueueInterop {
 public:
  /// `native` may be another library's; then call interop()->share(). Without `has_usm` the device
  /// uses host memory, which the host copies and fills.
  SyclQueue(::sycl::queue native, QueueProperties properties, bool has_usm,
            std::shared_ptr<runtime::RecordPool> records,
            std::shared_ptr<runtime::FailureLog> failures);
  ~SyclQueue() override;

  Event launch(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
               std::span<const Event> depends_on) override;
  Event copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) override;
  Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
             std::span<const Event> depends_on) override;
  Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) override;
  Event submit_barrier(std::span<const Event> depends_on) override;
  void log_ended_failures() noexcept override;

  runtime::QueueInterop* interop() noexcept override { return this; }

 private:
  using Natives = std::vector<::sycl::event>;
  /// Submits a command to a SYCL queue, after these events.
  using Command = std::function<::sycl::event(::sycl::queue& queue, const Natives& after)>;
  /// Submits a command between two fences, for shared out-of-order queues.
  static ::sycl::event fenced(const Command& command, ::sycl::queue& queue, const Natives& after);
  /// Returns an event that ends after all commands of the queue. In a shared queue it avoids SYCL's
  /// barriers (fence.h).
  static ::sycl::event end_of_all(::sycl::queue& queue, bool shared);
  static Natives natives_of(Tasks tasks);
  bool needs_fences() const noexcept { return shared_ && !properties_.in_order; }

  bool is_at_device(const runtime::DeviceTask& task) const override;
  void wait_for_device(uint64_t submitted) override;

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

  Event submit(Command command, std::span<const Event> depends_on,
               std::unique_ptr<runtime::ErrorReport> report = nullptr, bool after_all = false);
  /// The next two submit to the queue at once, with mutex_ locked.
  std::shared_ptr<SyclTask> make_task(const Command& command, Tasks after,
                                      runtime::DeviceTask::Options&& options, bool fences);
  Event submit_end_of_all(Dependencies dependencies = {});
  /// A function that submits the command and waits for its end.
  Deferred deferred(Command command) const;

  ::sycl::queue native_;
  const bool has_usm_;
  const bool is_fenced_by_opencl_;
  std::atomic<bool> shared_{false};
  const std::shared_ptr<runtime::RecordPool> records_;
};

/// The handler of SYCL's asynchronous errors.
::sycl::async_handler log_failures(std::shared_ptr<runtime::FailureLog> failures);

}  // namespace hither::drivers::sycl
