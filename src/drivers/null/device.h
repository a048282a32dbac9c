// The null device.
#pragma once

#include "runtime/driver.h"

namespace hither::drivers::null {

class NullDevice final : public runtime::DriverDevice {
 public:
  NullDevice();
  const runtime::DeviceFacts& facts() const noexcept override { return facts_; }
  std::vector<std::shared_ptr<runtime::DriverDevice>> partition(PartitionKind kind,
                                                                std::span<const int64_t> counts,
                                                                std::string_view domain) override;
  std::unique_ptr<runtime::DriverContext> make_context(
      std::span<const std::shared_ptr<runtime::DriverDevice>> devices) override;

 private:
  runtime::DeviceFacts facts_;
};

}  // namespace hither::drivers::null
