#include <hither/version.h>

namespace hither {

const char* version() noexcept { return HITHER_VERSION; }

}  // namespace hither
