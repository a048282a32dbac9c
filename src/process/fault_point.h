// Fault injection for tests, in every build.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include <hither/export.h>

namespace hither::process {

/// Operations that can be made to fail: an allocation of USM, a compilation (or a load from the
/// disk cache), the submission of a kernel, the submission of a copy or fill.
enum class Fault : uint8_t { kAllocate, kCompile, kLaunch, kCopy };
inline constexpr int kFaultCount = 4;

/// The number of operations until one fails, by Fault; 0: none fails.
HITHER_EXPORT extern std::array<std::atomic<int64_t>, kFaultCount> faults_to_come;

/// The `n`th operation of the kind from now on fails, once; 0: none does. Returns the previous
/// remaining number, which is 0 if the failure has happened. Process-wide, thread-safe.
HITHER_EXPORT int64_t inject_fault(Fault kind, int64_t n) noexcept;
HITHER_EXPORT bool count_down(Fault kind) noexcept;

/// Whether this operation has to fail. The caller then throws the error of a back end failure. It
/// is one relaxed load if no fault is injected.
inline bool fails_here(Fault kind) noexcept {
  return faults_to_come[static_cast<size_t>(kind)].load(std::memory_order_relaxed) != 0 &&
         count_down(kind);
}

}  // namespace hither::process
