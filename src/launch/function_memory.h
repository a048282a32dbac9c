// Memory of the arrays that offloaded functions make.
#pragma once

#include <cstddef>

#include <hither/export.h>

namespace hither::launch {

/// USM shared memory of the queue that the calling thread's OffloadCall computes on, of the CPU's
/// without one; aligned to at least 64 bytes. Null when memory is exhausted.
HITHER_EXPORT void* allocate_for_function(size_t bytes, size_t alignment) noexcept;
/// Returns what allocate_for_function() gave, after the work that uses it. Any thread.
HITHER_EXPORT void free_of_function(void* data) noexcept;
/// Whether the host's own allocator does better: for small arrays that need not move.
HITHER_EXPORT bool host_allocates(size_t bytes) noexcept;

}  // namespace hither::launch
