// Sorts for devices with groups and local memory: hither_sort_rows_B, hither_sort_histogram_B_C,
// hither_sort_plan_C and hither_sort_pass_B_C, for elements of B bits and counts of type C. All are
// radix sorts that begin with the least significant digit.
//
// A group keeps a tile of elements in registers and sorts it by eight bits at a time. The items of
// a sub-group find equal digits among them by votes, and count them for the sub-group; sums over
// the sub-groups and a scan over the digits give the elements' places. Rows that fit into a tile
// are sorted by one group. For longer rows each pass over global memory sorts by eight bits: a tile
// finds its places by looking back at the counts of the tiles before it (A. Adinets, D. Merrill:
// Onesweep; arXiv:2206.01784). A pass skips rows whose elements all have the same digit. Real
// elements are replaced by unsigned keys, which have their order, until the last pass. Complex
// elements stay, and their order is computed from their bits each time.
#define HITHER_DEVICE_CODE
#include <hither/device_code.h>

#include "device_library/sort_passes.h"

namespace {

using namespace hither::device;

constexpr int kItems = 384;                 // of a group
constexpr int kMostSubGroups = kItems / 8;  // they have 8 to 32 items

/// Elements in registers and local memory, and the number of elements of an item.
template <class Bits>
struct Held {
  using Type = uint32_t;
  static constexpr int kRun = 18;
};
template <>
struct Held<uint64_t> {
  using Type = uint64_t;
  static constexpr int kRun = 11;
};
template <>
struct Held<Pair> {
  using Type = Pair;
  static constexpr int kRun = 3;
};

/// Sorts tiles of kItems * kRun elements. Sub-groups have consecutive parts of the tile, and the
/// items of a sub-group, in each of kRun rounds, consecutive elements.
template <class Bits>
class Tile {
 public:
  using Kept = typename Held<Bits>::Type;
  static constexpr int kRun = Held<Bits>::kRun, kSize = kItems * kRun;
  static constexpr int kCountBytes = 2 * kMostSubGroups * kDigits;
  static constexpr int kKeptBytes = kSize * static_cast<int>(sizeof(Kept));
  static constexpr int kMemory = kKeptBytes > kCountBytes ? kKeptBytes : kCountBytes;

  /// `memory` is local, of kMemory bytes: the counts, or the elements, or indices.
  Tile(unsigned char* memory, int item, int count)
      : memory_(memory),
        item_(item),
        count_(count),
        lane_(sub_group_local_id()),
        lanes_(sub_group_size()),
        sub_group_(sub_group_id()) {}

  int item() const { return item_; }
  int count() const { return count_; }
  Kept* kept() { return reinterpret_cast<Kept*>(memory_); }
  uint32_t* indices() { return reinterpret_cast<uint32_t*>(memory_); }

  /// The position of this item's element r.
  int position(int r) const { return (sub_group_ * kRun + r) * lanes_ + lane_; }
  /// Whether it is before the end of the data.
  bool is_inside(int r) const { return position(r) < count_; }

  /// All bits are set if it is not.
  uint32_t outside(int r) const { return 0 - static_cast<uint32_t>(!is_inside(r)); }

  /// Loads encoded elements: neighbouring items read neighbouring elements. Elements behind the end
  /// of the data have the last key.
  void load(const Bits* from, Ordering order, bool encodes, bool as_ranks,
            Kept (&run)[kRun]) const {
    Kept last{};
    if constexpr (sizeof(Bits) <= 8) last = ~Kept{0};
#pragma unroll
    for (int r = 0; r < kRun; ++r) run[r] = is_inside(r) ? Kept(from[position(r)]) : last;
    if (!encodes || order.kind == Ordering::kComplex) return;
#pragma unroll
    for (int r = 0; r < kRun; ++r) {
      const auto key = Kept(encoded(bits_of(run[r]), order, as_ranks));
      run[r] = is_inside(r) ? key : last;
    }
  }

  /// Digits of encoded elements; the last digit for those behind the end of the data.
  uint32_t digit(const Kept& element, int r, int32_t shift, Ordering order) const {
    const uint32_t digit = digit_of(bits_of(element), shift, order);
    return order.kind == Ordering::kComplex ? (digit | outside(r)) % kDigits : digit;
  }

  /// Counts digits: digit(r) is that of this item's element r. places[r] becomes the number of
  /// equal digits of the sub-group before element r. Returns the number of elements whose digit is
  /// this item's number. A barrier must have followed the last read of the memory.
  template <class Digit>
  uint32_t count_digits(const Digit& digit, uint32_t (&places)[kRun]) {
    uint16_t* own = counts_of(sub_group_);
    for (int d = lane_; d < kDigits; d += lanes_) own[d] = 0;
    sub_group_barrier(kLocalFence);
    const uint32_t before_lane = (1u << lane_) - 1;
#pragma unroll
    for (int r = 0; r < kRun; ++r) places[r] = sub_group_match<kDigitBits>(digit(r));
#pragma unroll
    for (int r = 0; r < kRun; ++r) {
      const uint32_t same = places[r], lower = popcount(same & before_lane);
      uint16_t& counted = own[digit(r)];
      const uint32_t before = counted;
      places[r] = before + lower;
      sub_group_barrier(kLocalFence);
      if (lower == 0) counted = static_cast<uint16_t>(before + popcount(same));
      sub_group_barrier(kLocalFence);
    }
    barrier(kLocalFence);
    uint32_t sum = 0;
    for (int s = 0; s < sub_groups_of_digits(); ++s) {
      uint16_t& times = counts_of(s)[item_];
      const uint32_t next = sum + times;
      times = static_cast<uint16_t>(sum);
      sum = next;
    }
    return sum;
  }

  /// The places of this item's elements in the tile, after count_digits(). `first` is that of the
  /// first element whose digit is this item's number. Elements behind `count` stay there.
  template <class Digit>
  void place(const Digit& digit, uint32_t first, uint32_t (&places)[kRun]) {
    for (int s = 0; s < sub_groups_of_digits(); ++s)
      counts_of(s)[item_] = static_cast<uint16_t>(counts_of(s)[item_] + first);
    barrier(kLocalFence);
#pragma unroll
    for (int r = 0; r < kRun; ++r) places[r] += counts_of(sub_group_)[digit(r)];
    barrier(kLocalFence);
  }

  /// Moves elements to their places, from where each item takes its new ones. A barrier must have
  /// followed the last read of the memory.
  template <class T>
  void exchange(T* memory, T (&run)[kRun], const uint32_t (&places)[kRun]) {
#pragma unroll
    for (int r = 0; r < kRun; ++r) memory[places[r]] = run[r];
    barrier(kLocalFence);
#pragma unroll
    for (int r = 0; r < kRun; ++r) run[r] = memory[position(r)];
    barrier(kLocalFence);
  }

  static Bits bits_of(Kept kept) {
    if constexpr (sizeof(Bits) == 16)
      return kept;
    else
      return static_cast<Bits>(kept);
  }

 private:
  static uint32_t popcount(uint32_t lanes) {
    return static_cast<uint32_t>(__builtin_popcount(lanes));
  }

  /// The number of sub-groups, if this item's number is a digit; else 0.
  int sub_groups_of_digits() const { return item_ < kDigits ? num_sub_groups() : 0; }

  uint16_t* counts_of(int sub_group) {
    return reinterpret_cast<uint16_t*>(memory_) + sub_group * kDigits;
  }

  unsigned char* const memory_;
  const int item_, count_, lane_, lanes_, sub_group_;
};

/// The number of digits up to the first one in which keys of the tile differ.
template <class T>
int32_t rounds_of(const T& tile, const uint64_t (&run)[T::kRun]) {
  uint64_t least = ~uint64_t{0}, most = 0;
#pragma unroll
  for (int r = 0; r < T::kRun; ++r) {
    if (!tile.is_inside(r)) continue;
    least = run[r] < least ? run[r] : least;
    most = run[r] > most ? run[r] : most;
  }
  const uint64_t differs = group_reduce_min(least) ^ group_reduce_max(most);
  if (differs == 0) return 0;
  return (64 - __builtin_clzll(differs) + kDigitBits - 1) / kDigitBits;
}

/// Sorts `rows` rows of `length` elements. A tile has `together` rows. Numbers have `rounds`
/// digits, and rows of a tile have `row_rounds`. Stores elements, or 64-bit indices.
template <class Bits>
void sort_rows(void* to, const Bits* from, int64_t rows, int64_t length, int64_t together,
               int64_t row_rounds, int32_t rounds, int32_t gives_indices, Ordering order) {
  using T = Tile<Bits>;
  alignas(16) HITHER_LOCAL unsigned char memory[T::kMemory];
  const int64_t row = group_id() * together, left = rows - row;
  const int count = static_cast<int>((left < together ? left : together) * length);
  const int item = static_cast<int>(local_id());
  T tile(generic(memory), item, count);
  typename T::Kept run[T::kRun];
  uint32_t origins[T::kRun], places[T::kRun];
#pragma unroll
  for (int r = 0; r < T::kRun; ++r) origins[r] = static_cast<uint32_t>(tile.position(r));
  tile.load(from + row * length, order, true, gives_indices, run);
  const auto extent = static_cast<uint32_t>(length);
  const auto sort_by = [&](const auto& digit) {
    const uint32_t times = tile.count_digits(digit, places);
    tile.place(digit, group_exclusive_scan_add(times), places);
    tile.exchange(tile.kept(), run, places);
    if (gives_indices || row_rounds > 0) tile.exchange(tile.indices(), origins, places);
  };
  if constexpr (sizeof(Bits) == 8)  // numbers often have fewer digits than their type
    if (order.kind != Ordering::kComplex) rounds = rounds_of(tile, run);
  for (int32_t round = 0; round < rounds; ++round)
    sort_by([&](int r) { return tile.digit(run[r], r, round * kDigitBits, order); });
  for (int64_t round = 0; round < row_rounds; ++round)
    sort_by([&](int r) {
      return (origins[r] / extent >> (round * kDigitBits) | tile.outside(r)) % kDigits;
    });
  if (gives_indices) {
    auto* indices = static_cast<int64_t*>(to) + row * length;
#pragma unroll
    for (int r = 0; r < T::kRun; ++r)
      if (tile.is_inside(r)) indices[tile.position(r)] = origins[r] % extent;
  } else {
    auto* values = static_cast<Bits*>(to) + row * length;
#pragma unroll
    for (int r = 0; r < T::kRun; ++r)
      if (tile.is_inside(r)) values[tile.position(r)] = decoded(T::bits_of(run[r]), order);
  }
}

/// Adds to counts[row][pass][digit]. A group counts `piece` elements of a row, in several copies,
/// because atomics on one address are slow.
template <class Bits, class Count>
void count_digits(Count* counts, const Bits* from, int64_t length, int64_t piece,
                  int32_t has_indices, Ordering order) {
  constexpr int kPasses = sizeof(Bits), kCopies = kPasses > 2 ? 32 / kPasses : 16;
  HITHER_LOCAL uint32_t local[kPasses * kDigits * kCopies];
  uint32_t* own = generic(local);
  const int item = static_cast<int>(local_id());
  for (int i = item; i < kPasses * kDigits * kCopies; i += kItems) own[i] = 0;
  barrier(kLocalFence);
  const int64_t pieces = (length + piece - 1) / piece;
  const int64_t row = group_id() / pieces, begin = group_id() % pieces * piece;
  const int64_t end = begin + piece < length ? begin + piece : length;
  from += row * length;
  constexpr int kAtOnce = 8;  // loads, whose latencies overlap
  for (int64_t i = begin + item; i < end; i += kAtOnce * kItems) {
    Bits bits[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (i + k * kItems < end) bits[k] = encoded(from[i + k * kItems], order, has_indices);
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (i + k * kItems >= end) continue;
#pragma unroll
      for (int p = 0; p < kPasses; ++p) {
        const uint32_t digit = digit_of(bits[k], p * kDigitBits, order);
        atomic_add(local + (p * kDigits + digit) * kCopies + item % kCopies, 1u);
      }
    }
  }
  barrier(kLocalFence);
  if (item >= kDigits) return;
  for (int p = 0; p < kPasses; ++p) {
    uint32_t times = 0;
    for (int c = 0; c < kCopies; ++c)
      times += own[(p * kDigits + item) * kCopies + (c + item) % kCopies];
    if (times > 0)
      __atomic_fetch_add(counts + (row * kPasses + p) * kDigits + item, Count{times},
                         __ATOMIC_RELAXED);
  }
}

/// Replaces the counts of one pass in one row by the numbers of elements with lower digits, and
/// sets the pass's bit in needed[row] if the row's elements have different digits.
template <class Count>
void plan_pass(Count* counts, uint32_t* needed, int64_t length, int32_t passes) {
  const int64_t row = group_id() / passes, pass = group_id() % passes;
  const int item = static_cast<int>(local_id());
  const bool is_digit = item < kDigits;
  counts += group_id() * kDigits;
  const Count times = is_digit ? counts[item] : 0;
  const Count lower = group_exclusive_scan_add(times);
  const Count most = group_reduce_max(times);
  if (is_digit) counts[item] = lower;
  if (item == 0 && most < static_cast<Count>(length))
    __atomic_fetch_or(needed + row, 1u << pass, __ATOMIC_RELAXED);
}

/// Stores the indices of a tile's elements at the elements' targets in the row, which begins at
/// index `row`; the tile begins at index `begin` of it. The first pass makes the indices.
template <class T, class Bits, class Count>
void move_indices(T& tile, const Buffers<Bits, Count>& buffers, const Passes& passes, int64_t row,
                  int64_t begin, const uint32_t (&places)[T::kRun],
                  const Count (&targets)[T::kRun]) {
  uint32_t *in_result = reinterpret_cast<uint32_t*>(buffers.indices + row),
           *in_further = buffers.further + row;
  const bool is_even = passes.is_even();
  uint32_t indices[T::kRun];
#pragma unroll
  for (int r = 0; r < T::kRun; ++r) indices[r] = static_cast<uint32_t>(begin + tile.position(r));
  if (!passes.is_first()) {
    const uint32_t* from = (is_even ? in_further : in_result) + begin;
#pragma unroll
    for (int r = 0; r < T::kRun; ++r)
      if (tile.is_inside(r)) indices[r] = from[tile.position(r)];
  }
  barrier(kLocalFence);
#pragma unroll
  for (int r = 0; r < T::kRun; ++r) tile.indices()[places[r]] = indices[r];
  barrier(kLocalFence);
  uint32_t* to = is_even ? in_result : in_further;
  const bool is_last = passes.is_last();
#pragma unroll
  for (int r = 0; r < T::kRun; ++r) {
    const int i = tile.item() + r * kItems;
    if (i >= tile.count()) continue;
    if (is_last)
      buffers.indices[row + targets[r]] = tile.indices()[i];
    else
      to[targets[r]] = tile.indices()[i];
  }
}

/// One pass: sorts each row by one digit, unless the row does not need it.
template <class Bits, class Count>
void sort_by_digit(const Buffers<Bits, Count>& buffers, int64_t length, int32_t pass,
                   int32_t has_indices, Ordering order) {
  using T = Tile<Bits>;
  constexpr int kRun = T::kRun, kPasses = sizeof(Bits);
  alignas(16) HITHER_LOCAL unsigned char memory[T::kMemory];
  alignas(4) HITHER_LOCAL unsigned char shared[sizeof(TakenTile)];
  HITHER_LOCAL Count bases[kDigits];
  auto& taken = *reinterpret_cast<TakenTile*>(generic(shared));
  const int item = static_cast<int>(local_id());
  const int64_t tiles = (length + T::kSize - 1) / T::kSize;
  if (item == 0) taken.take(buffers, tiles);
  barrier(kLocalFence);
  const int64_t number = taken.number;
  const Passes passes(taken.needed, pass);
  if (!passes.is_needed()) return;
  const int64_t row = number / tiles, tile_of_row = number % tiles, begin = tile_of_row * T::kSize;
  const int64_t left = length - begin;
  const int count = static_cast<int>(left < T::kSize ? left : T::kSize);
  T tile(generic(memory), item, count);
  typename T::Kept run[kRun];
  uint32_t places[kRun];
  const bool is_first = passes.is_first(), is_even = passes.is_even();
  const Bits* from = is_first ? buffers.operand : is_even ? buffers.kept[1] : buffers.kept[0];
  tile.load(from + row * length + begin, order, is_first, has_indices, run);
  const int32_t shift = pass * kDigitBits;
  const auto digit = [&](int r) { return tile.digit(run[r], r, shift, order); };
  const uint32_t times = tile.count_digits(digit, places);
  const bool is_digit = item < kDigits, is_first_tile = tile_of_row == 0;
  const uint32_t outside = item == kDigits - 1 ? static_cast<uint32_t>(T::kSize - count) : 0;
  const Count own = times - outside;
  const TileCount<Count> word(buffers.state + (1 + number) * kDigits + item);
  if (is_digit) word.publish(own, is_first_tile);
  const uint32_t start = group_exclusive_scan_add(times);
  tile.place(digit, start, places);
#pragma unroll
  for (int r = 0; r < kRun; ++r) tile.kept()[places[r]] = run[r];
  if (is_digit) {
    // The difference may be less than 0. It wraps around, as the sums below do.
    generic(bases)[item] = buffers.counts[(row * kPasses + pass) * kDigits + item] - start +
                           (is_first_tile ? 0 : word.look_back(own));
  }
  barrier(kLocalFence);
  Count targets[kRun];
  Bits* to = (is_even ? buffers.kept[0] : buffers.kept[1]) + row * length;
  const bool is_last = passes.is_last();
#pragma unroll
  for (int r = 0; r < kRun; ++r) {
    const int i = item + r * kItems;
    if (i >= count) continue;
    const Bits bits = T::bits_of(tile.kept()[i]);
    targets[r] = generic(bases)[digit_of(bits, shift, order)] + static_cast<Count>(i);
    if (!is_last || !has_indices) to[targets[r]] = is_last ? decoded(bits, order) : bits;
  }
  if (has_indices) move_indices(tile, buffers, passes, row * length, begin, places, targets);
}

}  // namespace

#define HITHER_SORT_COUNTS(NAME, BITS, COUNT, COUNT_NAME)                                        \
  extern "C" void hither_sort_histogram_##NAME##_##COUNT_NAME(                                   \
      void* counts, const void* from, int64_t length, int64_t piece, int32_t has_indices,        \
      int32_t kind, int32_t descending) {                                                        \
    count_digits(static_cast<COUNT*>(counts), static_cast<const BITS*>(from), length, piece,     \
                 has_indices, Ordering{kind, descending});                                       \
  }                                                                                              \
  extern "C" void hither_sort_pass_##NAME##_##COUNT_NAME(                                        \
      const void* operand, void* kept, void* further_kept, void* indices, void* further_indices, \
      const void* counts, const void* needed, void* state, int64_t length, int64_t pass,         \
      int32_t has_indices, int32_t kind, int32_t descending) {                                   \
    sort_by_digit<BITS, COUNT>({static_cast<const BITS*>(operand),                               \
                                {static_cast<BITS*>(kept), static_cast<BITS*>(further_kept)},    \
                                static_cast<int64_t*>(indices),                                  \
                                static_cast<uint32_t*>(further_indices),                         \
                                static_cast<const COUNT*>(counts),                               \
                                static_cast<const uint32_t*>(needed),                            \
                                static_cast<COUNT*>(state)},                                     \
                               length, static_cast<int32_t>(pass), has_indices,                  \
                               Ordering{kind, descending});                                      \
  }
#define HITHER_SORT(NAME, BITS)                                                                 \
  extern "C" void hither_sort_rows_##NAME(void* to, const void* from, int64_t rows,             \
                                          int64_t length, int64_t together, int64_t row_rounds, \
                                          int32_t rounds, int32_t gives_indices, int32_t kind,  \
                                          int32_t descending) {                                 \
    sort_rows(to, static_cast<const BITS*>(from), rows, length, together, row_rounds, rounds,   \
              gives_indices, Ordering{kind, descending});                                       \
  }                                                                                             \
  HITHER_SORT_COUNTS(NAME, BITS, uint32_t, u32)                                                 \
  HITHER_SORT_COUNTS(NAME, BITS, uint64_t, u64)

extern "C" void hither_sort_plan_u32(void* counts, void* needed, int64_t length, int32_t passes) {
  plan_pass(static_cast<uint32_t*>(counts), static_cast<uint32_t*>(needed), length, passes);
}
extern "C" void hither_sort_plan_u64(void* counts, void* needed, int64_t length, int32_t passes) {
  plan_pass(static_cast<uint64_t*>(counts), static_cast<uint32_t*>(needed), length, passes);
}
HITHER_SORT(8, uint8_t)
HITHER_SORT(16, uint16_t)
HITHER_SORT(32, uint32_t)
HITHER_SORT(64, uint64_t)
HITHER_SORT(128, Pair)
