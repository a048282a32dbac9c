// An NVIDIA GPU, or a MIG instance of one.
#pragma once

#include <memory>

#include "drivers/cuda/api.h"
#include "drivers/cuda/cublas.h"
#include "drivers/cuda/cusparse.h"
#include "runtime/driver.h"

namespace hither::drivers::cuda {

class CudaDevice final : public runtime::DriverDevice {
 public:
  /// Error kDevice if the device does not respond.
  explicit CudaDevice(CUdevice native);

  const runtime::DeviceFacts& facts() const noexcept override { return facts_; }
  int native_number() const noexcept override { return native_; }
  /// Error kUnsupported: GPUs are divided by an administrator, through MIG, and each instance is a
  /// device.
  std::vector<std::shared_ptr<runtime::DriverDevice>> partition(PartitionKind kind,
                                                                std::span<const int64_t> counts,
                                                                std::string_view domain) override;
  /// New CUDA contexts, one for each device, so that faults affect only them.
  std::unique_ptr<runtime::DriverContext> make_context(
      std::span<const std::shared_ptr<runtime::DriverDevice>> devices) override;
  /// Uses the primary context, which other libraries use too.
  std::unique_ptr<runtime::DriverContext> make_default_context(
      const std::shared_ptr<runtime::DriverDevice>& self) override;

  const runtime::Blas* blas() override { return cublas(); }
  const runtime::SparseLibrary* sparse_library() override { return cusparse(); }

  CUdevice native() const noexcept { return native_; }
  /// Whether host and device may access shared USM concurrently, and prefetches migrate it.
  bool moves_shared() const noexcept { return moves_shared_; }

 private:
  const CUdevice native_;
  const bool moves_shared_;
  const runtime::DeviceFacts facts_;
};

/// The properties of a device that CUDA reports, under SYCL's names. Error kDevice.
runtime::DeviceFacts make_facts(CUdevice device);
/// Whether kernels and copies of `from` can access the memory of `to`; true for the same GPU.
bool reaches(CUdevice from, CUdevice to) noexcept;
/// Error kDevice.
int64_t attribute(CUdevice device, DeviceAttribute attribute);

}  // namespace hither::drivers::cuda
