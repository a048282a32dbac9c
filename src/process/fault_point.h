// Failures that tests ask for, in every build.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include <hither/export.h>

namespace hither::process {

/// What can be made to fail: an allocation of USM, the use of the compiler (a load from the disk
/// cache too), the submission of a kernel, the submission of a copy or a fill.
enum class Fault : uint8_t { kAllocate, kCompile, kLaunch, kCopy };
inline constexpr int kFaultCount = 4;

/// How many operations until one fails, by Fault; 0: none is to fail.
HITHER_EXPORT extern std::array<std::atomic<int64_t>, kFaultCount> faults_to_come;

/// The `n`th operation of the kind from now on fails, once; 0: none does. Returns what was left of
/// the number before: 0 where the failure has happened. Process-wide, thread-safe.
HITHER_EXPORT int64_t inject_fault(Fault kind, int64_t n) noexcept;
HITHER_EXPORT bool count_down(Fault kind) noexcept;

/// Whether this operation is the one that fails. The caller then throws what it throws where the
/// back end fails. One relaxed load where nothing was asked for.
inline bool fails_here(Fault kind) noexcept {
  return faults_to_come[static_cast<size_t>(kind)].load(std::memory_order_relaxed) != 0 &&
         count_down(kind);
}

}  // namespace hither::process
