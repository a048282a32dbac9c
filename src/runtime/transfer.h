// Copies between any two addresses.
#pragma once

#include <span>

#include <hither/queue.h>

namespace hither::runtime {

/// Queue::copy after its checks: finds out what the two addresses are, counts the bytes that cross
/// between plain host memory and USM, and goes through host memory where `queue`'s device cannot
/// reach the other context's.
Event transfer(const Queue& queue, void* to, const void* from, size_t bytes,
               std::span<const Event> depends_on);

}  // namespace hither::runtime
