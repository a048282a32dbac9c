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

std::optional<uint64_t> size_in_environment(const char* variable, uint64_t whole) {
  constexpr std::string_view kUnits = "KMG";
  const std::string_view text = environment(variable);
  if (text.empty()) return std::nullopt;
  uint64_t size = 0;
  const auto [rest, failed] = std::from_chars(text.data(), text.data() + text.size(), size);
  const std::string_view unit(rest, text.data() + text.size());
  if (failed == std::errc() && size > 0) {
    if (unit.empty()) return size;
    if (unit == "%" && size <= 100) return whole / 100 * size;
    const size_t power = unit.size() == 1 ? kUnits.find(unit) : std::string_view::npos;
    if (power != std::string_view::npos &&
        !__builtin_mul_overflow(size, uint64_t{1} << 10 * (power + 1), &size))
      return size;
  }
  throw Error(ErrorKind::kValue, variable,
              "the environment variable is \"" + std::string(text) +
                  "\"; set it to a number of bytes, such as 1000000, 512M or 8G, or to a per cent "
                  "of the device's memory, such as 50%, or unset it");
}

}  // namespace hither::process
