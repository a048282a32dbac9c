#include "error/nearest_name.h"

#include <algorithm>
#include <vector>

namespace hither::error {
namespace {

constexpr size_t kLongest = 64;

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The optimal string alignment distance (Damerau and Levenshtein).
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view given, std::span<const std::string_view> names) {
  std::string_view nearest;
  if (given.size() > kLongest) return nearest;
  size_t least = kLongest;
  for (std::string_view name : names) {
    const size_t d = distance(given, name);
    if (d >= least || 3 * d > std::max(given.size(), name.size())) continue;
    least = d;
    nearest = name;
  }
  return nearest;
}

std::string did_you_mean(std::string_view given, std::span<const std::string_view> names) {
  const std::string_view nearest = nearest_name(given, names);
  return nearest.empty() ? "" : "; did you mean \"" + std::string(nearest) + "\"?";
}

}  // namespace hither::error
