// Eager mode, for tests that compare eager and lazy evaluation in one process.
#pragma once

#include <optional>

#include <hither/export.h>

namespace hither {

/// Sets whether operations of this thread run at once. A value overrides HITHER_EAGER; nullopt
/// restores it. Returns the previous setting. Never blocks; pending work stays pending.
HITHER_EXPORT std::optional<bool> set_eager(std::optional<bool> on) noexcept;

}  // namespace hither
