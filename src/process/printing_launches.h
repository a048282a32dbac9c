// The number of launches whose output waits to be shown.
#pragma once

#include <atomic>
#include <cstdint>

#include <hither/export.h>

namespace hither::process {

/// Number of launches of kernels that print whose output has not been taken.
HITHER_EXPORT extern std::atomic<int64_t> printing_launches;

}  // namespace hither::process
