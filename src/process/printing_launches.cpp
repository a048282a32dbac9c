#include "process/printing_launches.h"

namespace hither::process {

std::atomic<int64_t> printing_launches{0};

}  // namespace hither::process
