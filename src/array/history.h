// What ran last, and in how much time.
#pragma once

#include <chrono>
#include <cstdint>

#include <hither/history.h>

#include "array/kernel_table.h"

namespace hither::array {

/// A clock cheap enough for every launch; history.cpp knows its rate.
inline uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Appends a launch that took `spent` ticks to the ring; several threads may. Allocates nothing.
void record(const ReadyKernel& kernel, int64_t items, int64_t bytes, uint64_t spent) noexcept;

}  // namespace hither::array
