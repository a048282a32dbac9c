// Allocation of one SYCL device's memory.
#pragma once

#include <memory>

#include <sycl/sycl.hpp>

#include "drivers/sycl/device.h"
#include "runtime/device_pool.h"

namespace hither::drivers::sycl {

/// USM in a context; host memory for devices without USM. Thread-safe.
class DeviceHeap final : public runtime::NativeHeap {
 public:
  DeviceHeap(::sycl::context context, std::shared_ptr<SyclDevice> device)
      : context_(std::move(context)), device_(std::move(device)) {}

  size_t least_alignment() const noexcept override { return 64; }
  Piece allocate(size_t bytes, size_t alignment, UsmType type) override;
  void free(const Piece& piece, UsmType type) noexcept override;

 private:
  const ::sycl::context context_;
  const std::shared_ptr<SyclDevice> device_;
};

}  // namespace hither::drivers::sycl
