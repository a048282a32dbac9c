// Integer division that rounds up.
#pragma once

#include <cstdint>

namespace hither::array {

/// For a >= 0 and b > 0.
constexpr int64_t divide_up(int64_t a, int64_t b) noexcept { return (a + b - 1) / b; }

}  // namespace hither::array
