#include <doctest/doctest.h>

#include "drivers/native_cpu/topology.h"

namespace hither::drivers::native_cpu {

TEST_CASE("The memory of the machine is known, and is at least what processes can allocate") {
  CHECK(Topology::machine().memory_bytes > 0);
  const auto now = memory_bytes_now();
  REQUIRE(now);
  CHECK(*now > 0);
  if (const auto available = available_memory()) CHECK(static_cast<size_t>(*now) >= *available);
}

}  // namespace hither::drivers::native_cpu
