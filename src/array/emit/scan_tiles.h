// Emits the single-pass scan kernel, for devices whose groups run concurrently.
#pragma once

#include <algorithm>
#include <string>

#include "array/emit/combine.h"
#include "array/emit/scan_operand.h"
#include "target/kernel_module.h"

namespace hither::array {

/// A tile is a piece of one line along the axis, or of kColumns neighbouring lines with `across`,
/// or several whole lines with `team` items each. A group scans a tile, and each item `rounds`
/// consecutive elements. Parameters: result, those of ScanOperand, extent along the axis, inner
/// extent, tiles per line (number of lines where a tile has several). When chained, also the state
/// by which tiles exchange totals (see state_words(); zeros at first), and the number of lines of
/// tiles.
struct ScanTiles {
  static constexpr int kColumns = 32;

  Accumulation accumulation;
  DType read, stored;
  bool across;  ///< lines are neighbours in memory, and successive elements of a line are far apart
  bool unit;    ///< successive elements of a line are neighbours in memory
  bool initial;  ///< the result's axis starts with the sum or product of no elements
  bool chained;  ///< lines have more than one tile
  int items;     ///< items per group, a power of two
  int rounds;
  int team = 0;        ///< items per line, a power of two; 0 unless a tile has several lines
  bool exact = false;  ///< a team's items cover exactly one line
  bool gaps = false;   ///< see LocalTile::Extent
  bool reads_wide = false, writes_wide = false;  ///< tiles are aligned to 16 bytes
  ScanProducers producers = {};

  /// Number of neighbouring lines in a tile.
  int64_t width() const noexcept { return across ? kColumns : 1; }
  /// Number of elements along the axis.
  int64_t length() const noexcept { return items / width() * rounds; }
  /// Number of 32-bit words of an accumulated value.
  int64_t words() const noexcept { return std::max(1, size_of(accumulation.dtype) / 4); }
  int joined() const noexcept { return team > 0 ? team : items; }
  /// Number of pieces that one look-back level combines.
  int64_t span() const noexcept { return across ? 16 : 32; }
  /// Size of the state in i64s, including the tile counter at its start.
  int64_t state_words(int64_t lines, int64_t chunks) const noexcept;
  std::string key() const;
};

target::KernelModule emit(const ScanTiles& kernel);

}  // namespace hither::array
