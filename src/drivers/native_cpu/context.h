// A context of the CPU or its sub-devices.
#pragma once

#include <memory>

#include "drivers/native_cpu/memory.h"
#include "drivers/native_cpu/topology.h"
#include "runtime/driver.h"

namespace hither::drivers::native_cpu {

class CpuContext final : public runtime::DriverContext {
 public:
  bool allocate(runtime::Block& block) override;
  void release(const runtime::Block& block, std::span<const Event> last_uses) noexcept override;
  std::optional<runtime::Block> find(const void* pointer) const override;
  PoolUse pool_use() const override { return pool_->use(); }
  size_t peak_held_bytes() const override { return pool_->peak_held_bytes(); }
  std::optional<size_t> free_bytes() const override { return available_memory(); }
  void trim() override { pool_->trim(); }
  std::shared_ptr<runtime::KernelState> load(
      std::shared_ptr<const target::CodeImage> image) override;
  std::unique_ptr<runtime::DriverQueue> make_queue(
      const std::shared_ptr<runtime::DriverDevice>& device, QueueProperties properties,
      std::shared_ptr<runtime::FailureLog> failures) override;

 private:
  /// Releases that wait for unfinished tasks share it.
  std::shared_ptr<Pool> pool_ = std::make_shared<Pool>();
};

}  // namespace hither::drivers::native_cpu
