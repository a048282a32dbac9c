// A SYCL context.
#pragma once

#include <memory>
#include <vector>

#include <sycl/sycl.hpp>

#include "drivers/sycl/device.h"
#include "drivers/sycl/foreign_memory.h"
#include "process/exit_gate.h"
#include "runtime/device_pool.h"
#include "runtime/driver.h"
#include "runtime/error_report.h"

namespace hither::drivers::sycl {

class SyclContext final : public runtime::DriverContext {
 public:
  /// `native` is a context of these devices, which another library may have made.
  SyclContext(::sycl::context native, std::vector<std::shared_ptr<SyclDevice>> devices);
  ~SyclContext() override;

  bool allocate(runtime::Block& block) override {
    const process::InsideLibrary inside;
    return pool_->allocate(block);
  }
  void release(const runtime::Block& block, std::span<const Event> last_uses) noexcept override {
    const process::InsideLibrary inside;
    pool_->release(block, last_uses);
  }
  std::optional<runtime::Block> find(const void* pointer) const override {
    return pool_->find(pointer);
  }
  std::optional<runtime::Block> find_foreign(const void* pointer) const override {
    auto found = foreign_memory_.find(pointer);
    return found && !pool_->is_spare(pointer) ? found : std::nullopt;
  }
  PoolUse pool_use() const override { return pool_->use(); }
  size_t peak_held_bytes() const override { return pool_->peak_held_bytes(); }
  std::optional<size_t> free_bytes() const override;
  void trim() override {
    const process::InsideLibrary inside;
    pool_->trim();
  }
  void trim_idle() override {
    const process::InsideLibrary inside;
    pool_->trim_idle();
  }
  std::shared_ptr<runtime::KernelState> load(
      std::shared_ptr<const target::CodeImage> image) override;
  std::unique_ptr<runtime::DriverQueue> make_queue(
      const std::shared_ptr<runtime::DriverDevice>& device, QueueProperties properties,
      std::shared_ptr<runtime::FailureLog> failures) override;

  const void* native_object() const noexcept override { return &native_; }
  const std::shared_ptr<runtime::RecordPool>& records() const noexcept { return records_; }

 private:
  const ::sycl::context native_;
  const std::vector<std::shared_ptr<SyclDevice>> devices_;
  std::unique_ptr<runtime::DevicePool> pool_;
  const ForeignMemory foreign_memory_;
  const std::shared_ptr<runtime::RecordPool> records_;
};

}  // namespace hither::drivers::sycl
