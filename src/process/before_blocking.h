// A notice that the calling thread is about to block.
//
// A Python thread that computes a small result keeps the GIL, because releasing it would take
// longer than the work. The thread may still have to wait: for a queue that runs another thread's
// kernel, for a device, for a compilation. The extension module then releases the GIL, so that
// other Python threads run.
#pragma once

#include <atomic>

#include <hither/export.h>

namespace hither::process {

/// What before_blocking() calls; null in processes without Python. It neither blocks nor throws.
HITHER_EXPORT extern std::atomic<void (*)() noexcept> on_blocking;

/// To be called before the calling thread waits for another thread or for a device, and before work
/// that takes longer than some microseconds. The calling thread may hold locks.
inline void before_blocking() noexcept {
  if (auto* const call = on_blocking.load(std::memory_order_relaxed)) call();
}

}  // namespace hither::process
