// Back ends that this build has and this machine gives no devices.
#pragma once

#include <string>
#include <vector>

#include <hither/export.h>

namespace hither {

/// Each with the reason, as "cuda: libcuda.so.1 is not installed".
HITHER_EXPORT const std::vector<std::string>& absent_backends();

}  // namespace hither
