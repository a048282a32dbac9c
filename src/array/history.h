// What ran last, and in how much time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <hither/history.h>

namespace hither::array {

/// Appends to the ring; several threads may.
void record(KernelRecord record);

}  // namespace hither::array
