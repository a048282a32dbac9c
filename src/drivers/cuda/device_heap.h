// Allocation of one device's memory.
#pragma once

#include <memory>
#include <span>

#include "drivers/cuda/native_context.h"
#include "runtime/device_pool.h"

namespace hither::drivers::cuda {

/// Device USM comes from a stream-ordered CUDA pool, so that freeing it never synchronises. Shared
/// USM is managed memory; host USM is pinned memory. Thread-safe.
class DeviceHeap final : public runtime::NativeHeap {
 public:
  /// Those of `peers` that support it get access to the device USM.
  DeviceHeap(std::shared_ptr<NativeContext> context, std::span<const CUdevice> peers);
  ~DeviceHeap() override;
  DeviceHeap(const DeviceHeap&) = delete;
  DeviceHeap& operator=(const DeviceHeap&) = delete;

  size_t least_alignment() const noexcept override { return 256; }
  Piece allocate(size_t bytes, size_t alignment, UsmType type) override;
  void free(const Piece& piece, UsmType type) noexcept override;
  void trim() noexcept override;
  CUmemoryPool native() const noexcept { return pool_; }

 private:
  void* allocate_native(size_t bytes, UsmType type);
  void* allocate_device(size_t bytes);
  /// Whether the allocation succeeded; false if memory is exhausted. Throws for other results.
  bool is_given(CUresult result, const char* call) const;

  const std::shared_ptr<NativeContext> context_;
  const NativeStream stream_;  ///< for allocations only
  CUmemoryPool pool_ = nullptr;
};

}  // namespace hither::drivers::cuda
