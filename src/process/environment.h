// Variables of the environment that hold numbers.
#pragma once

#include <cstdint>
#include <optional>

#include <hither/export.h>

namespace hither::process {

/// The whole number that `variable` holds; nothing where it is unset or empty. Throws Error kValue,
/// which names the variable, where it holds anything else.
HITHER_EXPORT std::optional<uint64_t> number_in_environment(const char* variable);

}  // namespace hither::process
