// Memory from the operating system.
#pragma once

#include <cstddef>

namespace hither::drivers::native_cpu {

/// Maps a multiple of the page size, aligned to `alignment` (a power of two), in huge pages if it
/// is large enough. Null if the system refuses, or if all pools together would map more than the
/// memory of the machine (or the control group): then the operating system would kill the process.
void* map_memory(size_t bytes, size_t alignment) noexcept;
/// `bytes` as in map_memory().
void unmap_memory(void* data, size_t bytes) noexcept;

inline constexpr size_t kPage = 4096;
inline constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace hither::drivers::native_cpu
