// An NVIDIA GPU, or what of one MIG gives this process.
#pragma once

#include <memory>

#include "drivers/cuda/api.h"
#include "drivers/cuda/cublas.h"
#include "runtime/driver.h"

namespace hither::drivers::cuda {

class CudaDevice final : public runtime::DriverDevice {
 public:
  /// Error kDevice when it does not answer.
  explicit CudaDevice(CUdevice native);

  const runtime::DeviceFacts& facts() const noexcept override { return facts_; }
  int native_number() const noexcept override { return native_; }
  /// Error kUnsupported: an administrator divides a GPU, by MIG, and each part is a device.
  std::vector<std::shared_ptr<runtime::DriverDevice>> partition(PartitionKind kind,
                                                                std::span<const int64_t> counts,
                                                                std::string_view domain) override;
  /// Contexts of CUDA of their own, one each device: their faults stay among them.
  std::unique_ptr<runtime::DriverContext> make_context(
      std::span<const std::shared_ptr<runtime::DriverDevice>> devices) override;
  /// The primary context, which other libraries use too.
  std::unique_ptr<runtime::DriverContext> make_default_context(
      const std::shared_ptr<runtime::DriverDevice>& self) override;

  const runtime::Blas* blas() override { return cublas(); }

  CUdevice native() const noexcept { return native_; }
  /// Whether the host and the device may use shared USM at once, and it moves when asked to.
  bool moves_shared() const noexcept { return moves_shared_; }

 private:
  const CUdevice native_;
  const bool moves_shared_;
  const runtime::DeviceFacts facts_;
};

/// What CUDA answers of a device, under SYCL's names. Error kDevice.
runtime::DeviceFacts make_facts(CUdevice device);
/// Whether kernels and copies of one GPU can read and write the other's memory, or its own.
bool reaches(CUdevice from, CUdevice to) noexcept;
/// Error kDevice.
int64_t attribute(CUdevice device, DeviceAttribute attribute);

}  // namespace hither::drivers::cuda
