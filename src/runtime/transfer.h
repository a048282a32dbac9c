// Copies between any two addresses.
#pragma once

#include <span>

#include <hither/queue.h>

namespace hither::runtime {

/// Queue::copy after its checks. It determines the kind of both addresses, counts the bytes copied
/// between plain host memory and USM, and copies through host memory if `queue`'s device cannot
/// reach memory of the other context.
Event transfer(const Queue& queue, void* to, const void* from, size_t bytes,
               std::span<const Event> depends_on);

}  // namespace hither::runtime
