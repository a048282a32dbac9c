// A queue of the null device.
#pragma once

#include <atomic>
#include <memory>

#include "drivers/null/recording.h"
#include "runtime/driver.h"

namespace hither::drivers::null {

/// Records every command. Copies, fills and host tasks are complete when their submission returns.
class NullQueue final : public runtime::DriverQueue {
 public:
  NullQueue(QueueProperties properties, std::shared_ptr<runtime::FailureLog> failures);

  Event launch(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
               std::span<const Event> depends_on) override;
  Event copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) override;
  Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
             std::span<const Event> depends_on) override;
  Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) override;
  Event submit_host(std::function<void()> work, std::span<const Event> depends_on) override;
  Event submit_barrier(std::span<const Event> depends_on) override;
  bool submission_waits() const noexcept override { return true; }
  void wait() override {}

 private:
  template <class Work>
  Event run(std::span<const Event> depends_on, const Work& work);

  const uint64_t number_;
  const bool profiling_;
  const std::shared_ptr<runtime::FailureLog> failures_;
  std::atomic<uint64_t> failed_{0};
};

}  // namespace hither::drivers::null
