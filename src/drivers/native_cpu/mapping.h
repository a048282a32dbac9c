// Memory from the operating system.
#pragma once

#include <cstddef>

namespace hither::drivers::native_cpu {

/// Fresh memory, a multiple of the page size, aligned to `alignment` (a power of two); in huge
/// pages where it is large enough. Null when the system refuses, or when all pools together would
/// map more than the machine (or the control group) has: the kernel would rather kill than refuse.
void* map_memory(size_t bytes, size_t alignment) noexcept;
/// `bytes` as it was mapped.
void unmap_memory(void* data, size_t bytes) noexcept;

inline constexpr size_t kPage = 4096;
inline constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace hither::drivers::native_cpu
