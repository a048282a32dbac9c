#include <hither/version.h>

#include <string_view>

namespace hither {

static_assert(std::string_view(HITHER_VERSION).starts_with(HITHER_HEADERS_VERSION "."));

const char* version() noexcept { return HITHER_VERSION; }

}  // namespace hither
