// Stable orders of small numbers, by counting.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "drivers/native_cpu/parallel_sort.h"

namespace hither::drivers::native_cpu {

/// Calls put(place, i) for each i in [0, count), where `place` is the place of item i in the stable
/// order of the items' digits. digit(i), below 256, is called twice for each item.
template <class Digit, class Put>
void place_by_digit(Arena* arena, int64_t count, const Digit& digit, const Put& put) {
  constexpr int64_t kItemsPerPiece = 16384;
  using Places = std::array<int64_t, 256>;
  const int64_t pieces =
      arena ? std::clamp<int64_t>(count / kItemsPerPiece, 1, int64_t{4} * arena->concurrency()) : 1;
  // Counts, and then places, of each piece's items with each digit.
  std::vector<Places> places(static_cast<size_t>(pieces));
  const auto each_piece = [&](const auto& body) {
    const auto call = [&](int64_t p) {
      Places own = places[static_cast<size_t>(p)];
      body(own, count * p / pieces, count * (p + 1) / pieces);
      places[static_cast<size_t>(p)] = own;
    };
    if (pieces == 1) return call(0);
    in_parallel(*arena, pieces, call);
  };
  each_piece([&](Places& counts, int64_t first, int64_t end) {
    for (int64_t i = first; i < end; ++i) ++counts[digit(i)];
  });
  int64_t next = 0;
  for (size_t value = 0; value < 256; ++value)
    for (Places& piece : places) next += std::exchange(piece[value], next);
  each_piece([&](Places& own, int64_t first, int64_t end) {
    for (int64_t i = first; i < end; ++i) put(own[digit(i)]++, i);
  });
}

/// The stable order of numbers, which number(i) gives: below 256, or with `two_digits` below 65536.
/// `scratch` has `count` words and is used only for two digits. On one thread if `arena` is null.
template <class Number>
void order_by_counting(Arena* arena, int64_t count, const Number& number, bool two_digits,
                       int64_t* to, uint64_t* scratch) {
  if (!two_digits)
    return place_by_digit(arena, count, number, [&](int64_t place, int64_t i) { to[place] = i; });
  constexpr int kShift = 56;
  place_by_digit(
      arena, count, [&](int64_t i) { return number(i) & 0xff; },
      [&](int64_t place, int64_t i) {
        scratch[place] = uint64_t{number(i)} >> 8 << kShift | static_cast<uint64_t>(i);
      });
  place_by_digit(
      arena, count, [&](int64_t i) { return scratch[i] >> kShift; },
      [&](int64_t place, int64_t i) {
        to[place] = static_cast<int64_t>(scratch[i] & ((uint64_t{1} << kShift) - 1));
      });
}

}  // namespace hither::drivers::native_cpu
