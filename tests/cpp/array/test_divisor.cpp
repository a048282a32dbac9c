#include <initializer_list>

#include <doctest/doctest.h>

#include "array/form/divisor.h"

using hither::array::Divisor;

TEST_CASE("divisors give the quotients of integer division") {
  constexpr int64_t kEnd = int64_t{1} << 31;
  for (int64_t d : {int64_t{1}, int64_t{2}, int64_t{3}, int64_t{7}, int64_t{641}, int64_t{65535},
                    int64_t{65536}, int64_t{65537}, (int64_t{1} << 30) - 1, (int64_t{1} << 30) + 1,
                    kEnd - 2, kEnd - 1}) {
    CAPTURE(d);
    const Divisor divisor(d);
    CHECK(divisor.multiplier < int64_t{1} << 32);
    for (int64_t n : {int64_t{0}, int64_t{1}, d - 1, d, d + 1, 2 * d - 1, 2 * d, kEnd / d * d - 1,
                      kEnd / d * d, kEnd - 2, kEnd - 1}) {
      if (n >= kEnd) continue;
      CAPTURE(n);
      const int64_t quotient = (n * divisor.multiplier) >> divisor.shift;
      CHECK(quotient == n / d);
    }
  }
}
