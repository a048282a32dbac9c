// The tasks of groups in a sort by passes over global memory. Passes that would move nothing in a
// row are left out. Only the device knows them, so it also chooses the memory of each pass.
#pragma once

#include <hither/device_code.h>

#include "device_library/sort_keys.h"

namespace {

/// The memory of a sort in passes. Elements that a pass of a row stores are in kept[0] if an even
/// number of passes follow, and else in kept[1]. So a row's last pass stores in kept[0], which is
/// the result of a sort. Indices are likewise in `indices`, the result of an argsort, and in
/// `further`. They have 32 bits; those of the last pass have 64, and it stores no elements.
/// `counts` are those of row 0 and pass 0. `state` begins with the number of tiles that groups have
/// taken; the words of TileCount follow at index kDigits.
template <class Bits, class Count>
struct Buffers {
  const Bits* operand;
  Bits* kept[2];
  int64_t* indices;
  uint32_t* further;
  const Count* counts;
  Count* state;
};

/// The passes that sort a row, as bits. The others, in which all elements have one digit, would
/// move nothing. `counts` are those of the row, and `first` is any element of it.
template <class Bits, class Count>
uint32_t passes_of(const volatile Count* counts, Bits first, int64_t length, bool as_ranks,
                   Ordering order) {
  constexpr int kPasses = sizeof(Bits);
  if constexpr (kPasses == 1) return 1;
  const Bits key = encoded(first, order, as_ranks);
  uint32_t passes = 0;
#pragma unroll
  for (int p = 0; p < kPasses; ++p) {
    const Count times = counts[p * kDigits + digit_of(key, p * kDigitBits, order)];
    passes |= static_cast<uint32_t>(times < static_cast<Count>(length)) << p;
  }
  return passes == 0 ? 1 : passes;  // one pass has to store the result
}

/// A group's part of a pass: a tile of a row. It is in local memory, as registers are scarce.
template <class Bits, class Count>
struct TileTask {
  int64_t row_begin, begin;         // of the row in the operand, and of the tile in the row
  int64_t counts_begin, own_begin;  // of the row's counts of this pass, and of TileCount's words
  int32_t count;
  bool is_needed, is_first, is_last, is_even;  // the pass, in its row

  /// Takes the next tile. Tiles have `size` elements.
  void take(const Buffers<Bits, Count>& buffers, int64_t length, int64_t size, int32_t pass,
            bool as_ranks, Ordering order) {
    constexpr int64_t kCounts = sizeof(Bits) * kDigits;
    const int64_t tiles = (length + size - 1) / size;
    // All earlier tiles belong to groups that have started, so waiting for them ends.
    const int64_t tile =
        __atomic_fetch_add(reinterpret_cast<uint32_t*>(buffers.state), 1u, __ATOMIC_RELAXED);
    // Its row is likely that of the group's own number, which is known before the atomic returns.
    // The counts are volatile so that the compiler leaves their loads here.
    int64_t row = hither::device::group_id() / tiles;
    uint32_t passes;
    for (;;) {
      passes = passes_of<Bits, Count>(buffers.counts + row * kCounts, buffers.operand[row * length],
                                      length, as_ranks, order);
      begin = (tile - row * tiles) * size;
      if (begin >= 0 && begin < length) break;
      row = tile / tiles;
    }
    const uint32_t left = passes >> pass;  // with this pass
    is_needed = left % 2 == 1;
    is_first = (passes & ((1u << pass) - 1)) == 0;
    is_last = left == 1;
    is_even = __builtin_popcount(left) % 2 == 1;
    row_begin = row * length;
    counts_begin = row * kCounts + pass * kDigits;
    own_begin = (1 + tile) * kDigits;
    count = static_cast<int32_t>(length - begin < size ? length - begin : size);
  }

  const Bits* from(const Buffers<Bits, Count>& b) const {
    return (is_first ? b.operand : is_even ? b.kept[1] : b.kept[0]) + row_begin + begin;
  }
  Bits* to(const Buffers<Bits, Count>& b) const {
    return (is_even ? b.kept[0] : b.kept[1]) + row_begin;
  }
  const uint32_t* indices_from(const Buffers<Bits, Count>& b) const {
    return indices(b, !is_even) + begin;
  }
  uint32_t* indices_to(const Buffers<Bits, Count>& b) const { return indices(b, is_even); }

 private:
  uint32_t* indices(const Buffers<Bits, Count>& b, bool in_result) const {
    return in_result ? reinterpret_cast<uint32_t*>(b.indices + row_begin) : b.further + row_begin;
  }
};

}  // namespace
