#include "process/environment.h"

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

#include <hither/error.h>

namespace hither::process {

std::optional<uint64_t> number_in_environment(const char* variable) {
  const char* const found = std::getenv(variable);
  const std::string_view text = found ? found : "";
  if (text.empty()) return std::nullopt;
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failed] = std::from_chars(text.data(), end, number);
  if (failed == std::errc() && rest == end) return number;
  throw Error(ErrorKind::kValue, variable,
              "the environment variable is \"" + std::string(text) +
                  "\"; set it to a whole number below 2**64, in digits alone, or unset it");
}

}  // namespace hither::process
