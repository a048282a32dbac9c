#include "drivers/native_cpu/sort.h"

#include <limits>
#include <mutex>
#include <utility>

#include "drivers/native_cpu/counting_sort.h"
#include "drivers/native_cpu/parallel_sort.h"
#include "drivers/native_cpu/short_rows.h"
#include "drivers/native_cpu/sort_keys.h"

namespace hither::drivers::native_cpu {
namespace {

using runtime::RowSort;

// Shorter rows are sorted by one thread.
constexpr int64_t kLong = 1 << 16;
// Shorter rows are not worth 256 counters, or two passes with these.
constexpr int64_t kCountOnce = 128, kCountTwice = 512;
// An index up to this one and a number of 32 bits share 64 bits.
constexpr int64_t kMostShared = std::numeric_limits<uint32_t>::max();
// With this many rows per thread, each row is sorted by one thread, whatever its length.
constexpr int64_t kRowsPerThread = 4;

bool splits_rows(const RowSort& call, const Arena& arena) {
  return call.length >= kLong && arena.concurrency() > 1 &&
         call.rows < kRowsPerThread * arena.concurrency();
}

/// Sorts items on one thread or on all.
class ItemSort {
 public:
  explicit ItemSort(Arena* arena) : arena_(arena) {}  ///< null: on one thread

  template <class Item, class Make, class Finish>
  void operator()(Item* items, int64_t count, const Make& make, const Finish& finish) const {
    if (arena_ && count >= kLong)
      return ParallelSort<Item>::run(*arena_, items, count, make, finish);
    for (int64_t i = 0; i < count; ++i) items[i] = make(i);
    vector_sort(items, static_cast<size_t>(count));
    finish(int64_t{0}, count);
  }
  /// Calls body(first, end) for pieces of [0, count).
  template <class Body>
  void each_piece(int64_t count, const Body& body) const {
    if (!arena_) return body(int64_t{0}, count);
    const int64_t pieces = int64_t{4} * arena_->concurrency();
    in_parallel(*arena_, pieces,
                [&](int64_t p) { body(count * p / pieces, count * (p + 1) / pieces); });
  }
  /// The arena for a row of this length; null for one thread.
  Arena* arena_for(int64_t count) const noexcept { return count >= kLong ? arena_ : nullptr; }

 private:
  Arena* arena_;
};

template <class Bits, class Keys>
void sort_values(const ItemSort& sort, const Bits* from, Bits* to, int64_t count) {
  sort(
      to, count, [&](int64_t i) { return Keys::key(from[i]); },
      [&](int64_t first, int64_t end) {
        for (int64_t i = first; i < end; ++i) to[i] = Keys::bits(to[i]);
      });
}

/// The least and the greatest rank of some elements.
template <class Bits>
struct Interval {
  Bits least, most;
  /// Whether differences of the ranks have at most this number of bits.
  bool fits(int bits) const noexcept { return static_cast<uint64_t>(most - least) >> bits == 0; }
};

template <class Bits>
constexpr Interval<Bits> kAllNumbers{Bits{0}, static_cast<Bits>(~Bits{0})};

template <class Bits, class Keys>
Interval<Bits> interval_of(const Bits* from, int64_t first, int64_t end) {
  Interval<Bits> all{Keys::rank(from[first]), Keys::rank(from[first])};
  for (int64_t i = first; i < end; ++i) {
    const Bits rank = Keys::rank(from[i]);
    all = {std::min(all.least, rank), std::max(all.most, rank)};
  }
  return all;
}

/// The interval of all elements; that of all numbers if the first ones do not fit.
template <class Bits, class Keys>
Interval<Bits> interval_of_row(const ItemSort& sort, const Bits* from, int64_t count, int bits) {
  constexpr int64_t kFirst = 1024;
  Interval<Bits> all = interval_of<Bits, Keys>(from, 0, std::min(count, kFirst));
  if (!all.fits(bits)) return kAllNumbers<Bits>;
  std::mutex mutex;
  sort.each_piece(count, [&](int64_t first, int64_t end) {
    if (first == end) return;
    const auto piece = interval_of<Bits, Keys>(from, first, end);
    const std::lock_guard lock(mutex);
    all = {std::min(all.least, piece.least), std::max(all.most, piece.most)};
  });
  return all;
}

// A number of at most 32 bits, counted from `least`, and an index share the 64 bits in which the
// index is returned.
template <class Bits, class Keys>
void sort_indices_in_place(const ItemSort& sort, const Bits* from, int64_t* to, int64_t count,
                           Bits least) {
  auto* items = reinterpret_cast<uint64_t*>(to);
  sort(
      items, count,
      [&](int64_t i) {
        const auto number = static_cast<uint64_t>(Keys::rank(from[i]) - least);
        return number << 32 | static_cast<uint64_t>(i);
      },
      [&](int64_t first, int64_t end) {
        for (int64_t i = first; i < end; ++i) to[i] = static_cast<int64_t>(items[i] & 0xffffffff);
      });
}

template <class Bits, class Keys>
void sort_indices(const ItemSort& sort, const Bits* from, int64_t* to, int64_t count,
                  KeyPair* items) {
  sort(
      items, count,
      [&](int64_t i) { return KeyPair{static_cast<uint64_t>(i), Keys::rank(from[i])}; },
      [&](int64_t first, int64_t end) {
        for (int64_t i = first; i < end; ++i) to[i] = static_cast<int64_t>(items[i].low);
      });
}

template <class Bits>
struct ComplexBits {
  Bits real, imaginary;
};

/// The stable order of complex elements, in items[...].low.
template <bool descending>
void order_complex(const ItemSort& sort, const ComplexBits<uint32_t>* from, int64_t count,
                   KeyPair* items) {
  sort(
      items, count,
      [&](int64_t i) {
        const auto key = complex_key<uint32_t, descending>(from[i].real, from[i].imaginary);
        return KeyPair{static_cast<uint64_t>(i), uint64_t{key.high} << 32 | key.low};
      },
      [](int64_t, int64_t) {});
}

// 128-bit keys do not fit in an item together with an index. The items are sorted by the first word
// of their keys, and then those with equal first words by the second.
template <bool descending>
void order_complex(const ItemSort& sort, const ComplexBits<uint64_t>* from, int64_t count,
                   KeyPair* items) {
  const auto key = [&](uint64_t i) {
    return complex_key<uint64_t, descending>(from[i].real, from[i].imaginary);
  };
  sort(
      items, count,
      [&](int64_t i) {
        return KeyPair{static_cast<uint64_t>(i), key(static_cast<uint64_t>(i)).high};
      },
      [](int64_t, int64_t) {});
  const auto sort_run = [&](const ItemSort& how, int64_t first, int64_t end) {
    for (int64_t i = first; i < end; ++i) items[i].high = key(items[i].low).low;
    const std::vector<KeyPair> run(items + first, items + end);
    how(
        items + first, end - first, [&](int64_t i) { return run[static_cast<size_t>(i)]; },
        [](int64_t, int64_t) {});
  };
  std::vector<std::pair<int64_t, int64_t>> runs;
  for (int64_t first = 0, end = 0; first < count; first = end) {
    const uint64_t high = items[first].high;
    for (end = first + 1; end < count && items[end].high == high; ++end) {
    }
    if (end - first >= kLong)
      sort_run(sort, first, end);
    else if (end - first > 1)
      runs.emplace_back(first, end);
  }
  sort.each_piece(static_cast<int64_t>(runs.size()), [&](int64_t first, int64_t end) {
    for (int64_t r = first; r < end; ++r)
      sort_run(ItemSort(nullptr), runs[static_cast<size_t>(r)].first,
               runs[static_cast<size_t>(r)].second);
  });
}

template <class Bits, bool descending>
void sort_complex(const ItemSort& sort, const RowSort& row, KeyPair* items) {
  const auto* from = static_cast<const ComplexBits<Bits>*>(row.from);
  auto* values = static_cast<ComplexBits<Bits>*>(row.values);
  order_complex<descending>(sort, from, row.length, items);
  sort.each_piece(row.length, [&](int64_t first, int64_t end) {
    for (int64_t i = first; i < end; ++i) {
      if (values)
        values[i] = from[items[i].low];
      else
        row.indices[i] = static_cast<int64_t>(items[i].low);
    }
  });
}

/// The bytes of scratch memory for each element.
int64_t item_bytes(const RowSort& call) {
  if (is_complex(call.dtype)) return sizeof(KeyPair);
  if (!call.indices) return 0;
  const int size = size_of(call.dtype);
  if (size == 8 || call.length > kMostShared) return sizeof(KeyPair);
  const bool counts_twice = size == 2 || (size == 4 && kind_of(call.dtype) != DTypeKind::kFloat);
  return counts_twice ? sizeof(uint64_t) : 0;
}

int64_t items_of(const RowSort& call) {
  constexpr int64_t kItem = sizeof(KeyPair);
  return (call.length * item_bytes(call) + kItem - 1) / kItem;
}

/// Whether it has counted: whether the row is long, and its elements are in a small interval.
template <class Bits, class Keys>
bool count_indices(const ItemSort& sort, const Bits* from, int64_t* to, int64_t count,
                   Interval<Bits> all, KeyPair* items) {
  const bool two_digits = !all.fits(8);
  if (!all.fits(16) || count < (two_digits ? kCountTwice : kCountOnce)) return false;
  order_by_counting(
      sort.arena_for(count), count,
      [&](int64_t i) { return static_cast<uint32_t>(Keys::rank(from[i]) - all.least); }, two_digits,
      to, reinterpret_cast<uint64_t*>(items));
  return true;
}

template <class Bits, class Keys>
void sort_real(const ItemSort& sort, const RowSort& row, KeyPair* items) {
  const auto* from = static_cast<const Bits*>(row.from);
  if (row.values)
    return sort_values<Bits, Keys>(sort, from, static_cast<Bits*>(row.values), row.length);
  constexpr int kBits = 8 * sizeof(Bits);
  auto all = kAllNumbers<Bits>;
  if constexpr (kBits > 8 && !Keys::kFloats)
    all = interval_of_row<Bits, Keys>(sort, from, row.length, kBits / 2);
  if (count_indices<Bits, Keys>(sort, from, row.indices, row.length, all, items)) return;
  if (row.length <= kMostShared && all.fits(32))
    return sort_indices_in_place<Bits, Keys>(sort, from, row.indices, row.length, all.least);
  sort_indices<Bits, Keys>(sort, from, row.indices, row.length, items);
}

/// Sorts of a dtype.
struct Sorts {
  void (*row)(const ItemSort& sort, const RowSort& row, KeyPair* items);
  /// Sorts the first rows of a call, if they are short, and returns their number; or null.
  int64_t (*short_rows)(const RowSort& call) = nullptr;
};

template <class Bits, DTypeKind kind>
Sorts real_sorts(bool descending) {
  using Up = SortKeys<Bits, kind, false>;
  using Down = SortKeys<Bits, kind, true>;
  if (descending) return {sort_real<Bits, Down>, ShortRows<Bits, Down>::sort};
  return {sort_real<Bits, Up>, ShortRows<Bits, Up>::sort};
}

template <class Bits>
Sorts integer_sorts(bool is_signed, bool descending) {
  return is_signed ? real_sorts<Bits, DTypeKind::kInt>(descending)
                   : real_sorts<Bits, DTypeKind::kUInt>(descending);
}

template <class Bits>
Sorts complex_sorts(bool descending) {
  return {descending ? sort_complex<Bits, true> : sort_complex<Bits, false>};
}

Sorts sorts_of(DType t, bool descending) {
  switch (t) {
    case DType::kFloat16:
      return real_sorts<uint16_t, DTypeKind::kFloat>(descending);
    case DType::kFloat32:
      return real_sorts<uint32_t, DTypeKind::kFloat>(descending);
    case DType::kFloat64:
      return real_sorts<uint64_t, DTypeKind::kFloat>(descending);
    case DType::kComplex64:
      return complex_sorts<uint32_t>(descending);
    case DType::kComplex128:
      return complex_sorts<uint64_t>(descending);
    default:
      break;
  }
  const bool is_signed = kind_of(t) == DTypeKind::kInt;
  switch (size_of(t)) {
    case 1:
      return integer_sorts<uint8_t>(is_signed, descending);
    case 2:
      return integer_sorts<uint16_t>(is_signed, descending);
    case 4:
      return integer_sorts<uint32_t>(is_signed, descending);
    default:
      return integer_sorts<uint64_t>(is_signed, descending);
  }
}

}  // namespace

size_t CpuSort::scratch_bytes(const RowSort& call) const noexcept {
  return splits_rows(call, *arena_) ? static_cast<size_t>(items_of(call)) * sizeof(KeyPair) : 0;
}

void CpuSort::sort(const RowSort& call) const {
  const Sorts sorts = sorts_of(call.dtype, call.descending);
  const auto row_of = [&](int64_t r) {
    RowSort row = call;
    const int64_t first = r * call.length;
    row.from = static_cast<const char*>(call.from) + first * size_of(call.dtype);
    if (call.values) row.values = static_cast<char*>(call.values) + first * size_of(call.dtype);
    if (call.indices) row.indices = call.indices + first;
    return row;
  };
  if (splits_rows(call, *arena_)) {
    auto* items = static_cast<KeyPair*>(call.scratch);
    for (int64_t r = 0; r < call.rows; ++r) sorts.row(ItemSort(arena_.get()), row_of(r), items);
    return;
  }
  // Several rows make one piece of work, so that short rows share its cost and its memory.
  const bool short_rows = sorts.short_rows && call.length <= kLongestInNetwork;
  const int64_t least = short_rows ? kMostAtOnce : 1;
  const int64_t rows = std::max<int64_t>(1, (kLong / 4) / call.length / least) * least;
  in_parallel(*arena_, (call.rows + rows - 1) / rows, [&](int64_t piece) {
    const auto items =
        std::make_unique_for_overwrite<KeyPair[]>(static_cast<size_t>(items_of(call)));
    const int64_t end = std::min(call.rows, (piece + 1) * rows);
    int64_t r = piece * rows;
    if (short_rows) {
      RowSort some = row_of(r);
      some.rows = end - r;
      r += sorts.short_rows(some);
    }
    for (; r < end; ++r) sorts.row(ItemSort(nullptr), row_of(r), items.get());
  });
}

}  // namespace hither::drivers::native_cpu
