// What front ends want to keep on disk.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <hither/export.h>

namespace hither::launch {

/// The text that was stored for `key`, by this process or another, if it is still there. An error
/// of the disk is a miss.
HITHER_EXPORT std::optional<std::string> load_source(std::string_view key);
HITHER_EXPORT void store_source(std::string_view key, std::string_view text);

}  // namespace hither::launch
