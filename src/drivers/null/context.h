// A context of the null device. Its memory is real; its kernels do not run.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "runtime/driver.h"

namespace hither::drivers::null {

class NullContext final : public runtime::DriverContext {
 public:
  bool allocate(runtime::Block& block) override;
  void release(const runtime::Block& block, std::span<const Event> last_uses) noexcept override;
  std::optional<runtime::Block> find(const void* pointer) const override;
  PoolUse pool_use() const override;
  size_t peak_held_bytes() const override;
  void trim() override {}  // nothing is kept
  std::shared_ptr<runtime::KernelState> load(
      std::shared_ptr<const target::CodeImage> image) override;
  std::unique_ptr<runtime::DriverQueue> make_queue(
      const std::shared_ptr<runtime::DriverDevice>& device, QueueProperties properties,
      std::shared_ptr<runtime::FailureLog> failures) override;

 private:
  struct Live {
    std::mutex mutex;
    std::map<const char*, runtime::Block> blocks;
    size_t bytes = 0, peak_bytes = 0;
  };
  static void free_block(Live& live, const runtime::Block& block) noexcept;
  std::shared_ptr<Live> live_ = std::make_shared<Live>();
};

}  // namespace hither::drivers::null
