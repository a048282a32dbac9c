#include <doctest/doctest.h>
#include <hither/version.h>

#include <algorithm>
#include <string>

TEST_CASE("the version has three parts") {
  const std::string version = hither::version();
  CHECK(std::count(version.begin(), version.end(), '.') == 2);
}
