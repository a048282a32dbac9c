// Division by a number that many items share.
#pragma once

#include <bit>
#include <cstdint>

namespace hither::array {

/// Numbers n below 2^31 divided by a positive d below 2^31: n / d = (n * multiplier) >> shift.
/// T. Granlund, P. Montgomery: Division by invariant integers using multiplication (PLDI 1994).
struct Divisor {
  int64_t multiplier, shift;  ///< below 2^32, at most 62

  constexpr explicit Divisor(int64_t d)
      : shift(31 + static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(d - 1)))) {
    multiplier = ((int64_t{1} << shift) + d - 1) / d;
  }
};

}  // namespace hither::array
