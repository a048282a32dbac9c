// Proposals for misspelt names in error messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <hither/export.h>

namespace hither::error {

/// The name from which `given` differs least by inserted, deleted, replaced and swapped characters,
/// without regard to case. Empty if every name differs in more than a third of its characters.
HITHER_EXPORT std::string_view nearest_name(std::string_view given,
                                            std::span<const std::string_view> names);

/// "; did you mean \"name\"?" for the nearest name; empty if none is near.
HITHER_EXPORT std::string did_you_mean(std::string_view given,
                                       std::span<const std::string_view> names);

}  // namespace hither::error
