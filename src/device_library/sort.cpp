// Sorts for devices with groups and local memory: hither_sort_rows_B, hither_sort_histogram_B and
// hither_sort_pass_B, for elements of B bits. All are least-significant-digit radix sorts.
//
// A group keeps a tile of elements in local memory and sorts it by four bits at a time. Each item
// counts the digits of its own consecutive elements, and a scan over all counts gives the elements'
// places. Rows that fit into a tile are sorted by one group. For longer rows each pass over global
// memory sorts by eight bits: a tile finds its places by looking back at the counts of the tiles
// before it (A. Adinets, D. Merrill: Onesweep; arXiv:2206.01784). Elements stay as they are in
// memory; their order is computed from their bits each time.
#define HITHER_DEVICE_CODE
#include <hither/device_code.h>

namespace {

using namespace hither::device;

constexpr int kItems = 256;  // of a group; also the number of digits of a pass
constexpr int kPassBits = 8, kRoundBits = 4;

/// How bits are ordered. All members are constants of the kernel.
struct Ordering {
  enum Kind : int32_t { kUnsigned, kSigned, kFloating, kComplex };
  int32_t kind, descending;
};

struct Pair {
  uint64_t re, im;
};

/// Elements in registers and local memory, and the number of consecutive elements of an item. It is
/// odd, so that neighbouring items access different banks.
template <class Bits>
struct Held {
  using Type = uint32_t;
  static constexpr int kRun = 15;
};
template <>
struct Held<uint64_t> {
  using Type = uint64_t;
  static constexpr int kRun = 9;
};
template <>
struct Held<Pair> {
  using Type = Pair;
  static constexpr int kRun = 3;
};

/// A number that has the order of the element. Elements that compare equal have one number, and so
/// have all NaNs, which are last in both directions. `last` is the number of the last other
/// element.
template <class Bits>
struct Rank {
  static constexpr int kBits = 8 * sizeof(Bits);
  static constexpr Bits kTop = static_cast<Bits>(Bits{1} << (kBits - 1));
  static constexpr int kMantissa = kBits == 64 ? 52 : kBits == 32 ? 23 : 10;
  static constexpr Bits kNans = static_cast<Bits>((Bits{1} << (kBits > 8 ? kMantissa : 0)) - 1);
  static constexpr Bits kLastFloat = static_cast<Bits>(static_cast<Bits>(~Bits{0}) - 2 * kNans);

  static Bits of(Bits bits, Ordering order) {
    Bits key = bits, last = static_cast<Bits>(~Bits{0});
    if (order.kind == Ordering::kSigned) key = static_cast<Bits>(bits ^ kTop);
    if (order.kind == Ordering::kFloating) {
      if (bits == kTop) bits = 0;  // -0.0
      key = static_cast<Bits>(
          ((bits & kTop) ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kTop)) - kNans);
      last = kLastFloat;
    }
    if (key > last) return static_cast<Bits>(last + 1);
    return order.descending ? static_cast<Bits>(last - key) : key;
  }
};

/// The numbers of the parts: real and imaginary. Elements with NaNs are behind all others.
template <class Bits>
void rank_parts(Bits& re, Bits& im, Ordering order) {
  constexpr Bits kLast = Rank<Bits>::kLastFloat;
  order.kind = Ordering::kFloating;
  const Bits real = Rank<Bits>::of(re, order), imaginary = Rank<Bits>::of(im, order);
  re = real;
  im = imaginary;
  if (real > kLast) {
    re = static_cast<Bits>(imaginary > kLast ? kLast + 3 : kLast + 2);
    im = static_cast<Bits>(imaginary > kLast ? 0 : imaginary);
  } else if (imaginary > kLast) {
    re = static_cast<Bits>(kLast + 1);
    im = real;
  }
}

/// The bits of the element's number from `shift` on.
template <class Bits>
uint32_t bits_from(Bits bits, int32_t shift, Ordering order) {
  if constexpr (sizeof(Bits) == 16) {
    rank_parts(bits.re, bits.im, order);
    return static_cast<uint32_t>(shift < 64 ? bits.im >> shift : bits.re >> (shift - 64));
  } else {
    if constexpr (sizeof(Bits) == 8) {
      if (order.kind == Ordering::kComplex) {
        auto re = static_cast<uint32_t>(bits), im = static_cast<uint32_t>(bits >> 32);
        rank_parts(re, im, order);
        return shift < 32 ? im >> shift : re >> (shift - 32);
      }
    }
    return static_cast<uint32_t>(Rank<Bits>::of(bits, order) >> shift);
  }
}

/// Sorts tiles of kItems * kRun elements.
template <class Bits>
class Tile {
 public:
  using Kept = typename Held<Bits>::Type;
  static constexpr int kRun = Held<Bits>::kRun, kSize = kItems * kRun;

  /// `memory` is local, of kMemory bytes.
  Tile(unsigned char* memory, int item, int count)
      : kept_(reinterpret_cast<Kept*>(memory)),
        counts_(reinterpret_cast<uint32_t*>(memory + kSize * sizeof(Kept))),
        item_(item),
        count_(count) {}
  static constexpr int kWords = 8;  // of counts of an item
  static constexpr int kMemory = kSize * sizeof(Kept) + 4 * (kItems * (kWords + 1) + 1);

  Kept* kept() { return kept_; }
  uint32_t* indices() { return reinterpret_cast<uint32_t*>(kept_); }

  /// The places of this item's elements if the tile is sorted by these digits of kRoundBits bits.
  /// Elements behind `count` stay there.
  void places(const uint32_t (&digits)[kRun], uint32_t (&places)[kRun]) {
#pragma unroll
    for (int w = 0; w < kWords; ++w) counts_[word(w)] = 0;
    // A word has the counts of two digits. Neighbouring items count in different banks.
#pragma unroll
    for (int r = 0; r < kRun; ++r) {
      uint32_t& both = counts_[word(static_cast<int>(digits[r] % kWords))];
      const uint32_t shift = digits[r] / kWords * 16;
      places[r] = both >> shift & 0xffff;
      both += 1u << shift;
    }
    barrier(kLocalFence);
    uint32_t* run = counts_ + item_ * (kWords + 1);
    uint32_t sums[kWords], sum = 0;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      sums[w] = sum;
      sum += run[w];
    }
    const uint32_t before = group_exclusive_scan_add(sum);
#pragma unroll
    for (int w = 0; w < kWords; ++w) run[w] = before + sums[w];
    uint32_t& total = counts_[kItems * (kWords + 1)];
    if (item_ == kItems - 1) total = before + sum;
    barrier(kLocalFence);
    const uint32_t of_lower_digits = total << 16;
#pragma unroll
    for (int r = 0; r < kRun; ++r) {
      const uint32_t both = counts_[word(static_cast<int>(digits[r] % kWords))] + of_lower_digits;
      places[r] += both >> (digits[r] / kWords * 16) & 0xffff;
    }
  }

  void digits(const Kept (&run)[kRun], int32_t shift, Ordering order,
              uint32_t (&digits)[kRun]) const {
    constexpr uint32_t kMost = (1u << kRoundBits) - 1;
#pragma unroll
    for (int r = 0; r < kRun; ++r)
      digits[r] = is_inside(r) ? bits_from(bits_of(run[r]), shift, order) & kMost : kMost;
  }

  /// Whether this item's element r is before the end of the data.
  bool is_inside(int r) const { return item_ * kRun + r < count_; }

  /// Moves elements to their places, from where each item takes its new run. A barrier must have
  /// followed the last read of the memory.
  template <class T>
  void exchange(T* memory, T (&run)[kRun], const uint32_t (&places)[kRun]) {
#pragma unroll
    for (int r = 0; r < kRun; ++r) memory[places[r]] = run[r];
    barrier(kLocalFence);
#pragma unroll
    for (int r = 0; r < kRun; ++r) run[r] = memory[item_ * kRun + r];
    barrier(kLocalFence);
  }

  static Bits bits_of(Kept kept) {
    if constexpr (sizeof(Bits) == 16)
      return kept;
    else
      return static_cast<Bits>(kept);
  }

  /// Loads the tile: neighbouring items read neighbouring elements.
  void load(const Bits* from, Kept (&run)[kRun]) {
#pragma unroll
    for (int r = 0; r < kRun; ++r) {
      const int i = item_ + r * kItems;
      kept_[i] = i < count_ ? Kept(from[i]) : Kept{};
    }
    barrier(kLocalFence);
#pragma unroll
    for (int r = 0; r < kRun; ++r) run[r] = kept_[item_ * kRun + r];
    barrier(kLocalFence);
  }

 private:
  // Word w of this item's counts. The words are scanned in the order of digits, then of items, by
  // runs of kWords; an unused word after each run avoids bank conflicts.
  int word(int w) const {
    const int flat = w * kItems + item_;
    return flat + flat / kWords;
  }

  Kept* const kept_;
  uint32_t* const counts_;
  const int item_, count_;
};

/// Sorts `rows` rows of `length` elements. A tile has `together` rows. Numbers have `rounds` digits
/// of kRoundBits bits, and rows of a tile have `row_rounds`. Stores elements, or 64-bit indices.
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
  uint32_t origins[T::kRun], digits[T::kRun], places[T::kRun];
#pragma unroll
  for (int r = 0; r < T::kRun; ++r) origins[r] = static_cast<uint32_t>(item * T::kRun + r);
  tile.load(from + row * length, run);
  for (int32_t round = 0; round < rounds; ++round) {
    tile.digits(run, round * kRoundBits, order, digits);
    tile.places(digits, places);
    tile.exchange(tile.kept(), run, places);
    tile.exchange(tile.indices(), origins, places);
  }
  const auto extent = static_cast<uint32_t>(length);
  for (int64_t round = 0; round < row_rounds; ++round) {
    constexpr uint32_t kMost = (1u << kRoundBits) - 1;
#pragma unroll
    for (int r = 0; r < T::kRun; ++r)
      digits[r] = tile.is_inside(r) ? origins[r] / extent >> (round * kRoundBits) & kMost : kMost;
    tile.places(digits, places);
    if (!gives_indices) tile.exchange(tile.kept(), run, places);
    tile.exchange(tile.indices(), origins, places);
  }
  // The runs go back through local memory, so that neighbouring items write neighbouring elements.
  if (gives_indices) {
    auto* indices = static_cast<int64_t*>(to) + row * length;
#pragma unroll
    for (int r = 0; r < T::kRun; ++r) tile.indices()[item * T::kRun + r] = origins[r];
    barrier(kLocalFence);
    for (int i = item; i < count; i += kItems) indices[i] = tile.indices()[i] % extent;
  } else {
    auto* values = static_cast<Bits*>(to) + row * length;
#pragma unroll
    for (int r = 0; r < T::kRun; ++r) tile.kept()[item * T::kRun + r] = run[r];
    barrier(kLocalFence);
    for (int i = item; i < count; i += kItems) values[i] = T::bits_of(tile.kept()[i]);
  }
}

/// Adds to counts[row][pass][digit]. A group counts `piece` elements of a row.
template <class Bits, class Count>
void count_digits(Count* counts, const Bits* from, int64_t length, int64_t piece, int32_t passes,
                  Ordering order) {
  HITHER_LOCAL uint32_t local[sizeof(Bits) * kItems];
  uint32_t* own = generic(local);
  const int item = static_cast<int>(local_id());
  for (int32_t p = 0; p < passes; ++p) own[p * kItems + item] = 0;
  barrier(kLocalFence);
  const int64_t pieces = (length + piece - 1) / piece;
  const int64_t row = group_id() / pieces, begin = group_id() % pieces * piece;
  const int64_t end = begin + piece < length ? begin + piece : length;
  from += row * length;
  for (int32_t p = 0; p < passes; ++p) {
    // Equal successive digits are added together, because atomics on one address are slow.
    uint32_t digit = 0, times = 0;
    for (int64_t i = begin + item; i < end; i += kItems) {
      const uint32_t next = bits_from(from[i], p * kPassBits, order) % kItems;
      if (next != digit && times > 0) {
        atomic_add(local + p * kItems + digit, times);
        times = 0;
      }
      digit = next;
      ++times;
    }
    if (times > 0) atomic_add(local + p * kItems + digit, times);
  }
  barrier(kLocalFence);
  for (int32_t p = 0; p < passes; ++p) {
    const uint32_t times = own[p * kItems + item];
    if (times > 0)
      __atomic_fetch_add(counts + (row * passes + p) * kItems + item, Count{times},
                         __ATOMIC_RELAXED);
  }
}

/// The number of elements with this item's digit in all tiles before `tile` of its row, of which
/// this tile has `own`. A word of `state` is a number, with its two highest bits: 0 while there is
/// none, 1 for the count of a tile, 2 for that of a tile and all before it.
template <class Count>
Count look_back(Count* state, int64_t tile, Count own) {
  constexpr int kFlags = 8 * sizeof(Count) - 2;
  constexpr Count kOwn = Count{1} << kFlags, kAll = Count{2} << kFlags, kMask = kOwn - 1;
  Count* word = state + tile * kItems + static_cast<int64_t>(local_id());
  Count before = 0;
  if (tile > 0) {
    __atomic_store_n(word, own | kOwn, __ATOMIC_RELAXED);
    for (const Count* at = word - kItems;;) {
      const Count seen = __atomic_load_n(at, __ATOMIC_RELAXED);
      if (seen < kOwn) continue;
      before += seen & kMask;
      if (seen >= kAll) break;
      at -= kItems;
    }
  }
  __atomic_store_n(word, (before + own) | kAll, __ATOMIC_RELAXED);
  return before;
}

enum Flag : int64_t { kStoresElements = 1, kReadsIndices = 2, kIsLast = 4 };

/// The work of one tile in one pass over global memory.
template <class Bits>
class PassTile {
 public:
  using T = Tile<Bits>;
  static constexpr int kRun = T::kRun;

  PassTile(T& tile, int item, int count, int32_t shift, Ordering order)
      : tile_(tile), item_(item), count_(count), shift_(shift), order_(order) {}

  /// The indices of this item's elements: those in memory, or without any `begin` and so on.
  void load_indices(const uint32_t* from, int64_t begin) {
#pragma unroll
    for (int r = 0; r < kRun; ++r) indices_[r] = static_cast<uint32_t>(begin + item_ * kRun + r);
    if (!from) return;
#pragma unroll
    for (int r = 0; r < kRun; ++r) {
      const int i = item_ + r * kItems;
      tile_.indices()[i] = i < count_ ? from[i] : 0;
    }
    barrier(kLocalFence);
#pragma unroll
    for (int r = 0; r < kRun; ++r) indices_[r] = tile_.indices()[item_ * kRun + r];
    barrier(kLocalFence);
  }

  /// Sorts the elements by the pass's digit and leaves them in local memory.
  void sort(typename T::Kept (&run)[kRun], bool has_indices) {
    tile_.digits(run, shift_, order_, digits_);
    tile_.places(digits_, places_);
    tile_.exchange(tile_.kept(), run, places_);
    if (has_indices) tile_.exchange(tile_.indices(), indices_, places_);
    tile_.digits(run, shift_ + kRoundBits, order_, digits_);
    tile_.places(digits_, places_);
#pragma unroll
    for (int r = 0; r < kRun; ++r) tile_.kept()[places_[r]] = run[r];
    barrier(kLocalFence);
  }

  /// The first of the sorted elements with this item's digit or a larger one.
  int first_with_own_digit() const {
    int low = 0, high = count_;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (digit_at(middle) < static_cast<uint32_t>(item_))
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }

  /// Stores sorted element i at to[bases[its digit] + i].
  void store(Bits* to, const int64_t* bases, bool stores_elements) {
#pragma unroll
    for (int r = 0; r < kRun; ++r) {
      const int i = item_ + r * kItems;
      if (i >= count_) continue;
      digits_[r] = digit_at(i);
      if (stores_elements) to[bases[digits_[r]] + i] = T::bits_of(tile_.kept()[i]);
    }
  }
  /// Stores the elements' indices likewise, after store().
  void store_indices(void* to, const int64_t* bases, bool in_64_bits) {
    barrier(kLocalFence);
#pragma unroll
    for (int r = 0; r < kRun; ++r) tile_.indices()[places_[r]] = indices_[r];
    barrier(kLocalFence);
#pragma unroll
    for (int r = 0; r < kRun; ++r) {
      const int i = item_ + r * kItems;
      if (i >= count_) continue;
      const int64_t target = bases[digits_[r]] + i;
      if (in_64_bits)
        static_cast<int64_t*>(to)[target] = tile_.indices()[i];
      else
        static_cast<uint32_t*>(to)[target] = tile_.indices()[i];
    }
  }

 private:
  uint32_t digit_at(int i) const {
    return bits_from(T::bits_of(tile_.kept()[i]), shift_, order_) % kItems;
  }

  T& tile_;
  const int item_, count_;
  const int32_t shift_;
  const Ordering order_;
  uint32_t indices_[kRun], digits_[kRun], places_[kRun];
};

/// One pass: sorts each row by the digit at `shift`. `counts` are those of this pass for row 0; the
/// rows' counts are `row_counts` apart. `state` begins with the number of tiles that groups have
/// taken; the words of look_back() follow at index kItems. Indices are made if there is no pass
/// before to read them from, and are stored as 64-bit numbers by the last pass.
template <class Bits, class Count>
void sort_by_digit(Bits* to, const Bits* from, void* indices_to, const uint32_t* indices_from,
                   const Count* counts, Count* state, int64_t length, int64_t row_counts,
                   int32_t shift, int64_t flags, int32_t has_indices, Ordering order) {
  using T = Tile<Bits>;
  alignas(16) HITHER_LOCAL unsigned char memory[T::kMemory];
  HITHER_LOCAL uint32_t taken;
  HITHER_LOCAL uint32_t starts[kItems + 1];
  HITHER_LOCAL int64_t bases[kItems];
  const int item = static_cast<int>(local_id());
  // All earlier tiles belong to groups that have started, so waiting for them ends.
  if (item == 0) *generic(&taken) = __atomic_fetch_add((uint32_t*)state, 1u, __ATOMIC_RELAXED);
  barrier(kLocalFence);
  const int64_t tiles = (length + T::kSize - 1) / T::kSize, number = *generic(&taken);
  const int64_t row = number / tiles, tile_of_row = number % tiles, begin = tile_of_row * T::kSize;
  const int64_t left = length - begin, first = row * length + begin;
  const int count = static_cast<int>(left < T::kSize ? left : T::kSize);
  T tile(generic(memory), item, count);
  PassTile<Bits> pass(tile, item, count, shift, order);
  typename T::Kept run[T::kRun];
  tile.load(from + first, run);
  if (has_indices) pass.load_indices(flags & kReadsIndices ? indices_from + first : nullptr, begin);
  pass.sort(run, has_indices);
  const int start = pass.first_with_own_digit();
  generic(starts)[item] = static_cast<uint32_t>(start);
  if (item == 0) generic(starts)[kItems] = static_cast<uint32_t>(count);
  barrier(kLocalFence);
  const Count own = generic(starts)[item + 1] - generic(starts)[item];
  const Count before = look_back(state + kItems + row * tiles * kItems, tile_of_row, own);
  const Count of_lower_digits = group_exclusive_scan_add(counts[row * row_counts + item]);
  generic(bases)[item] = row * length + static_cast<int64_t>(of_lower_digits + before) - start;
  barrier(kLocalFence);
  pass.store(to, generic(bases), flags & kStoresElements);
  if (has_indices) pass.store_indices(indices_to, generic(bases), flags & kIsLast);
}

}  // namespace

#define HITHER_SORT_COUNTS(NAME, BITS, COUNT, COUNT_NAME)                                          \
  extern "C" void hither_sort_histogram_##NAME##_##COUNT_NAME(                                     \
      void* counts, const void* from, int64_t length, int64_t piece, int32_t passes, int32_t kind, \
      int32_t descending) {                                                                        \
    count_digits(static_cast<COUNT*>(counts), static_cast<const BITS*>(from), length, piece,       \
                 passes, Ordering{kind, descending});                                              \
  }                                                                                                \
  extern "C" void hither_sort_pass_##NAME##_##COUNT_NAME(                                          \
      void* to, const void* from, void* indices_to, const void* indices_from, const void* counts,  \
      void* state, int64_t length, int64_t row_counts, int64_t shift, int64_t flags,               \
      int32_t has_indices, int32_t kind, int32_t descending) {                                     \
    sort_by_digit(static_cast<BITS*>(to), static_cast<const BITS*>(from), indices_to,              \
                  static_cast<const uint32_t*>(indices_from), static_cast<const COUNT*>(counts),   \
                  static_cast<COUNT*>(state), length, row_counts, static_cast<int32_t>(shift),     \
                  flags, has_indices, Ordering{kind, descending});                                 \
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

HITHER_SORT(8, uint8_t)
HITHER_SORT(16, uint16_t)
HITHER_SORT(32, uint32_t)
HITHER_SORT(64, uint64_t)
HITHER_SORT(128, Pair)
