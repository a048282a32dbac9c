// One allocation of a context.
#pragma once

#include <cstddef>
#include <cstdint>

#include <hither/memory.h>

namespace hither::runtime {

/// The address, and the request that it answers.
struct Block {
  void* data = nullptr;
  size_t bytes = 0;
  size_t alignment = 64;
  UsmType type = UsmType::kDevice;
  int device = 0;  ///< index into the context's devices
  /// If not 0, the first use is by tasks submitted from now on to the queue with this
  /// DriverQueue::order().
  uint64_t order = 0;
};

}  // namespace hither::runtime
