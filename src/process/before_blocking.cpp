#include "process/before_blocking.h"

namespace hither::process {

constinit std::atomic<void (*)() noexcept> on_blocking = nullptr;

}  // namespace hither::process
