// Fresh memory of one device.
#pragma once

#include <memory>
#include <span>

#include <hither/memory.h>

#include "drivers/cuda/native_context.h"

namespace hither::drivers::cuda {

/// Device USM from a stream-ordered pool of CUDA, so that giving it back never synchronises; shared
/// USM as managed memory, host USM pinned. Thread-safe.
class DeviceHeap {
 public:
  /// `peers` that can, reach its device USM too.
  DeviceHeap(std::shared_ptr<NativeContext> context, std::span<const CUdevice> peers);
  ~DeviceHeap();
  DeviceHeap(const DeviceHeap&) = delete;
  DeviceHeap& operator=(const DeviceHeap&) = delete;

  /// Aligned to 256 bytes at least; null when there is none. Error kDevice in a lost context.
  void* allocate(size_t bytes, UsmType type);
  /// What nothing uses any more.
  void free(void* data, UsmType type) noexcept;
  CUmemoryPool native() const noexcept { return pool_; }
  /// Gives back to the system what was freed.
  void trim() noexcept;

 private:
  void* allocate_device(size_t bytes);
  /// Whether there was memory; throws what else can go wrong.
  bool is_given(CUresult result, const char* call) const;

  const std::shared_ptr<NativeContext> context_;
  const NativeStream stream_;  ///< of allocations alone
  CUmemoryPool pool_ = nullptr;
};

}  // namespace hither::drivers::cuda
