// A scan in one pass over memory, for devices whose groups work side by side.
#pragma once

#include <algorithm>
#include <string>

#include "array/emit/combine.h"
#include "target/kernel_module.h"

namespace hither::array {

/// A tile is a piece of one line along the axis, or of kColumns neighbouring lines with `across`,
/// or several whole lines, each of which `team` items have; a group scans it, every item `rounds`
/// elements that follow one another. Parameters: result, x, extent along, extent inside, tiles of a
/// line (lines in all where a tile has several), then when chained: what tiles tell each other (see
/// state_words(), zeros at first), lines of tiles.
struct ScanTiles {
  static constexpr int kColumns = 32;

  Accumulation accumulation;
  DType read, stored;
  bool across;   ///< lines lie side by side, an element's successor far away
  bool unit;     ///< an element's successor is its neighbour
  bool initial;  ///< the result's axis starts with the sum (product) of nothing
  bool chained;  ///< lines have more than one tile
  int items;     ///< of a group, a power of two
  int rounds;
  int team = 0;        ///< items of a line, a power of two; 0 unless a tile has several lines
  bool exact = false;  ///< a team's items have exactly one line
  bool gaps = false;   ///< see LocalTile::Extent
  bool reads_wide = false, writes_wide = false;  ///< tiles start at multiples of 16 bytes

  /// Lines side by side.
  int64_t width() const noexcept { return across ? kColumns : 1; }
  /// Elements along the axis.
  int64_t length() const noexcept { return items / width() * rounds; }
  /// 32-bit words of what is accumulated.
  int64_t words() const noexcept { return std::max(1, size_of(accumulation.dtype) / 4); }
  int joined() const noexcept { return team > 0 ? team : items; }
  /// Pieces that are combined at a time into what comes before a tile.
  int64_t span() const noexcept { return across ? 16 : 32; }
  /// i64s of what tiles tell each other, the counter of tiles first.
  int64_t state_words(int64_t lines, int64_t chunks) const noexcept;
  std::string key() const;
};

target::KernelModule emit(const ScanTiles& kernel);

}  // namespace hither::array
