// A queue of CUDA.
#pragma once

#include <functional>
#include <memory>

#include "drivers/cuda/context.h"
#include "drivers/cuda/device_task.h"
#include "drivers/cuda/lanes.h"
#include "runtime/device_queue.h"
#include "runtime/queue_interop.h"

namespace hither::drivers::cuda {

class CudaQueue final : public runtime::DeviceQueue, private runtime::QueueInterop {
 public:
  CudaQueue(ContextPart part, QueueProperties properties,
            std::shared_ptr<runtime::FailureLog> failures);
  ~CudaQueue() override { leave(); }

  Event launch(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
               std::span<const Event> depends_on) override;
  Event copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) override;
  bool reaches(const runtime::DriverDevice& device) const override;
  Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
             std::span<const Event> depends_on) override;
  Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) override;
  Event submit_barrier(std::span<const Event> depends_on) override;

  runtime::QueueInterop* interop() noexcept override { return this; }

 private:
  std::optional<Error> fault() const override { return part_.native->fault(); }
  void wait_for_device(uint64_t submitted) override;

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

  Event submit(Command command, std::span<const Event> depends_on, bool after_all = false);
  /// The same for a command that refers to the caller's stack: `kept` makes a command that owns its
  /// data.
  template <class Kept>
  Event submit(const Command& command, const Kept& kept, std::span<const Event> depends_on,
               std::unique_ptr<runtime::ErrorReport> report, bool after_all);
  /// Copies from, to or within pageable memory.
  Event copy_pageable(void* to, const void* from, size_t bytes, bool to_pageable,
                      bool from_pageable, std::span<const Event> depends_on);

  const ContextPart part_;
  const uint64_t foreign_number_ = runtime::HostTask::new_queue_number();
  const std::shared_ptr<Lanes> lanes_;
  std::shared_ptr<Progress> progress_;  ///< of an in-order queue
};

}  // namespace hither::drivers::cuda
