// Eager mode, for tests: one process compares what runs at once with what waits.
#pragma once

#include <optional>

#include <hither/export.h>

namespace hither {

/// Whether operations of this thread run at once: true or false whatever HITHER_EAGER says, nullopt
/// as it says. Returns what was set before. Never blocks; pending work stays pending.
HITHER_EXPORT std::optional<bool> set_eager(std::optional<bool> on) noexcept;

}  // namespace hither
