// Fresh memory of one device.
#pragma once

#include <memory>
#include <span>

#include "drivers/cuda/native_context.h"
#include "runtime/device_pool.h"

namespace hither::drivers::cuda {

/// Device USM from a stream-ordered pool of CUDA, so that giving it back never synchronises; shared
/// USM as managed memory, host USM pinned. Thread-safe.
class DeviceHeap final : public runtime::NativeHeap {
 public:
  /// `peers` that can, reach its device USM too.
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
  /// Whether there was memory; throws what else can go wrong.
  bool is_given(CUresult result, const char* call) const;

  const std::shared_ptr<NativeContext> context_;
  const NativeStream stream_;  ///< of allocations alone
  CUmemoryPool pool_ = nullptr;
};

}  // namespace hither::drivers::cuda
