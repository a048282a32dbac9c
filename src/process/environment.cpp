#include "process/environment.h"

#include <charconv>
#include <cstdlib>
#include <string>

#include <hither/error.h>

namespace hither::process {

std::string_view environment(const char* variable) noexcept {
  const char* const value = std::getenv(variable);
  return value ? value : std::string_view();
}

std::optional<uint64_t> number_in_environment(const char* variable) {
  const std::string_view text = environment(variable);
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
