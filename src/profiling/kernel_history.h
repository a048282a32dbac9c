// The record of recent kernel launches that kernel_history() returns, and the clock that times
// them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <hither/history.h>

namespace hither::profiling {

/// A clock that is cheap enough to read at every launch. kernel_history.cpp measures its rate.
inline uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// The part of a history record that is known before the launch.
struct KernelOrigin {
  const std::string& name;
  const std::string& device;  ///< filter string
  const char* source;         ///< static text: "memory", "disk", "compiled" or "host"
  double compile_seconds;
};

/// The history has this many launches, the latest ones.
inline constexpr int64_t kHistoryCapacity = 256;

/// Appends a launch that took `spent` ticks to the history. Thread-safe; allocates nothing.
void record_launch(const KernelOrigin& kernel, int64_t items, int64_t bytes,
                   uint64_t spent) noexcept;

}  // namespace hither::profiling
