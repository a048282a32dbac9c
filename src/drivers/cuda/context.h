// A context of one or several GPUs.
#pragma once

#include <memory>
#include <vector>

#include "drivers/cuda/clock.h"
#include "drivers/cuda/device.h"
#include "drivers/cuda/device_heap.h"
#include "drivers/cuda/native_context.h"
#include "drivers/cuda/staging.h"
#include "runtime/device_pool.h"
#include "runtime/driver.h"
#include "runtime/error_report.h"

namespace hither::drivers::cuda {

/// The part of a context that belongs to one device; queues and tasks share it.
struct ContextPart {
  std::shared_ptr<CudaDevice> device;
  std::shared_ptr<NativeContext> native;
  std::shared_ptr<runtime::RecordPool> records;
  std::shared_ptr<Staging> staging;
  std::shared_ptr<Clock> clock;
  int index = 0;  ///< of the device in the context
};

class CudaContext final : public runtime::DriverContext {
 public:
  /// Uses the devices' primary contexts or new ones. The GPUs can access one another's memory.
  CudaContext(const std::vector<std::shared_ptr<CudaDevice>>& devices, bool primary);

  bool allocate(runtime::Block& block) override { return pool_->allocate(block); }
  void release(const runtime::Block& block, std::span<const Event> last_uses) noexcept override {
    pool_->release(block, last_uses);
  }
  std::optional<runtime::Block> find(const void* pointer) const override {
    return pool_->find(pointer);
  }
  std::optional<runtime::Block> find_foreign(const void* pointer) const override;
  PoolUse pool_use() const override { return pool_->use(); }
  size_t peak_held_bytes() const override { return pool_->peak_held_bytes(); }
  std::optional<size_t> free_bytes() const override;
  void trim() override;
  void trim_idle() override { pool_->trim_idle(); }
  std::shared_ptr<runtime::KernelState> load(
      std::shared_ptr<const target::CodeImage> image) override;
  std::unique_ptr<runtime::DriverQueue> make_queue(
      const std::shared_ptr<runtime::DriverDevice>& device, QueueProperties properties,
      std::shared_ptr<runtime::FailureLog> failures) override;

 private:
  /// Whether `pool` is a pool of this context.
  bool owns(CUmemoryPool pool) const noexcept;

  std::vector<ContextPart> parts_;
  std::vector<std::shared_ptr<DeviceHeap>> heaps_;  ///< one for each part
  std::unique_ptr<runtime::DevicePool> pool_;
};

}  // namespace hither::drivers::cuda
