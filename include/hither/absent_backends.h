// The back ends of this build that have no devices on this machine.
#pragma once

#include <string>
#include <vector>

#include <hither/export.h>

namespace hither {

/// One entry for each, with the reason: "cuda: libcuda.so.1 is not installed".
HITHER_EXPORT const std::vector<std::string>& absent_backends();

}  // namespace hither
