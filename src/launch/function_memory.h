// Memory of the arrays that offloaded functions create.
#pragma once

#include <cstddef>

#include <hither/export.h>

namespace hither::launch {

/// Allocates USM shared memory of the queue on which the calling thread's OffloadCall computes, or
/// of the CPU's queue outside a call. Aligned to at least 64 bytes. Null when memory is exhausted.
HITHER_EXPORT void* allocate_for_function(size_t bytes, size_t alignment) noexcept;
/// Frees memory of allocate_for_function() after the work that uses it. Callable from any thread.
HITHER_EXPORT void free_of_function(void* data) noexcept;
/// Whether the host's own allocator is preferable, as it is for small arrays that need not move.
HITHER_EXPORT bool host_allocates(size_t bytes) noexcept;

}  // namespace hither::launch
