// Data that front ends store on disk.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <hither/export.h>

namespace hither::launch {

/// The text stored for `key`, by this process or another, if it still exists. A disk error counts
/// as a miss.
HITHER_EXPORT std::optional<std::string> load_source(std::string_view key);
HITHER_EXPORT void store_source(std::string_view key, std::string_view text);

}  // namespace hither::launch
