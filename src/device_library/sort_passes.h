// What the passes of a sort over global memory share: their memory, and what they know of rows and
// tiles.
#pragma once

#include <hither/device_code.h>

#include "device_library/sort_keys.h"

namespace {

/// The number of elements with one digit in a tile and in those before it. The tiles' words of a
/// digit are kDigits apart: a number, with two highest bits, which are 0 while there is none, 1 for
/// the number of the tile, and 2 for that of the tile and all before it.
template <class Count>
class TileCount {
 public:
  explicit TileCount(Count* word) : word_(word) {}

  void publish(Count own, bool is_first) const {
    __atomic_store_n(word_, own | (is_first ? kAll : kOwn), __ATOMIC_RELAXED);
  }
  /// The number in all tiles before this one, which is not the first.
  Count look_back(Count own) const {
    Count before = 0;
    for (const Count* at = word_ - kDigits;;) {
      const Count seen = __atomic_load_n(at, __ATOMIC_RELAXED);
      if (seen < kOwn) continue;
      before += seen & kMask;
      if (seen >= kAll) break;
      at -= kDigits;
    }
    __atomic_store_n(word_, (before + own) | kAll, __ATOMIC_RELAXED);
    return before;
  }

 private:
  static constexpr int kFlags = 8 * sizeof(Count) - 2;
  static constexpr Count kOwn = Count{1} << kFlags, kAll = Count{2} << kFlags, kMask = kOwn - 1;

  Count* const word_;
};

/// The memory of a sort in passes. Elements that a pass of a row stores are in kept[0] if an even
/// number of the passes that the row needs follow, and else in kept[1]. So a row's last pass stores
/// in kept[0], which is the result of a sort. Indices are likewise in `indices`, the result of an
/// argsort, and in `further`. They have 32 bits; those of the last pass have 64, and it stores no
/// elements. `counts` and `needed` are those of plan_pass(). `state` begins with the number of
/// tiles that groups have taken; the words of TileCount follow at index kDigits.
template <class Bits, class Count>
struct Buffers {
  const Bits* operand;
  Bits* kept[2];
  int64_t* indices;
  uint32_t* further;
  const Count* counts;
  const uint32_t* needed;
  Count* state;
};

/// The passes of a row from one of them on, as bits. The others, in which all elements have one
/// digit, would move nothing.
class Passes {
 public:
  /// A row that needs none takes pass 0, because one has to store the result.
  Passes(uint32_t needed, int32_t pass)
      : all_(needed == 0 ? 1 : needed), left_(all_ >> pass), pass_(pass) {}

  bool is_needed() const { return left_ & 1; }
  bool is_first() const { return (all_ & ((1u << pass_) - 1)) == 0; }
  bool is_last() const { return left_ == 1; }
  /// Whether an even number of passes follow.
  bool is_even() const { return __builtin_popcount(left_) & 1; }

 private:
  uint32_t all_, left_;
  int32_t pass_;
};

/// A tile that a group has taken, in local memory: its number, and its row's passes.
struct TakenTile {
  uint32_t number, needed;

  /// One item of the group takes the next tile; rows have `tiles`. All earlier tiles belong to
  /// groups that have started, so waiting for them ends.
  template <class Bits, class Count>
  void take(const Buffers<Bits, Count>& buffers, int64_t tiles) {
    // The row is likely that of the group's own number, which is known before the atomic returns.
    const int64_t likely = hither::device::group_id() / tiles;
    uint32_t passes = buffers.needed[likely];
    number = __atomic_fetch_add(reinterpret_cast<uint32_t*>(buffers.state), 1u, __ATOMIC_RELAXED);
    const int64_t row = number / tiles;
    if (row != likely) passes = buffers.needed[row];
    needed = passes;
  }
};

}  // namespace
