// Sorts of many short rows.
#pragma once

#include <algorithm>
#include <type_traits>

#include "drivers/native_cpu/row_network.h"
#include "runtime/sort_library.h"

namespace hither::drivers::native_cpu {

/// Sorts the rows of a call, of at most kLongestInNetwork elements, in groups of kRowsAtOnce. A
/// last group that is much smaller is left.
template <class Bits, class Keys>
class ShortRows {
 public:
  /// Returns the number of rows that it has sorted, from the first one.
  static int64_t sort(const runtime::RowSort& call) {
    if (call.values) return sort_values(call);
    if constexpr (sizeof(Bits) == 8)
      return sort_pairs(call);
    else
      return sort_indices(call);
  }

 private:
  // The vectors of many machines compare 64-bit numbers only as signed ones.
  static constexpr uint64_t kTop = uint64_t{1} << 63;
  template <class Item>
  static Item item_of(uint64_t number) noexcept {
    return static_cast<Item>(sizeof(Item) == 8 ? number ^ kTop : number);
  }
  template <class Item>
  static uint64_t number_of(Item item) noexcept {
    return sizeof(Item) == 8 ? static_cast<uint64_t>(item) ^ kTop : static_cast<uint64_t>(item);
  }

  /// Calls body(first, end) for groups of rows.
  template <class Item, class Body>
  static int64_t each_group(int64_t rows, int64_t length, const Body& body) {
    constexpr int64_t kRows = kRowsAtOnce<Item>, kFew = 12;
    // A network takes the same time for fewer rows. One row of few elements takes little time.
    const int64_t fill = length > kFew ? length : kLongestInNetwork / 2;
    int64_t first = 0;
    while (first < rows && (rows - first) * kLongestInNetwork >= kRows * fill) {
      const int64_t end = std::min(rows, first + kRows);
      body(first, end);
      first = end;
    }
    return first;
  }

  /// Reads elements of the rows, converted by make(element, i), to where the networks want them.
  template <class Item, class Make>
  static void read(const runtime::RowSort& call, int64_t first, int64_t end, Item* items,
                   const Make& make) {
    constexpr int64_t kRows = kRowsAtOnce<Item>;
    const Bits* from = static_cast<const Bits*>(call.from) + first * call.length;
    const auto read_rows = [&](int64_t rows) {
      for (int64_t i = 0; i < call.length; ++i)
        for (int64_t r = 0; r < rows; ++r)
          items[i * kRows + r] = make(from[r * call.length + i], i);
    };
    if (end - first == kRows) return read_rows(kRows);  // a number that the compiler knows
    read_rows(end - first);
  }

  template <class Item, class To, class Make>
  static void write(const Item* items, int64_t length, int64_t rows, To* to, const Make& make) {
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t i = 0; i < length; ++i)
        to[r * length + i] = make(items[i * kRowsAtOnce<Item> + r]);
  }

  template <class Item>
  struct alignas(64) Items {
    Item data[kLongestInNetwork * kRowsAtOnce<Item>];
  };

  static int64_t sort_values(const runtime::RowSort& call) {
    using Item = std::conditional_t<sizeof(Bits) == 8, int64_t, Bits>;
    const auto& network = sorting_network(call.length);
    Items<Item> items{};
    return each_group<Item>(call.rows, call.length, [&](int64_t first, int64_t end) {
      read(call, first, end, items.data,
           [](Bits x, int64_t) { return item_of<Item>(Keys::key(x)); });
      sort_rows(items.data, network);
      write(items.data, call.length, end - first,
            static_cast<Bits*>(call.values) + first * call.length,
            [](Item x) { return Keys::bits(static_cast<Bits>(number_of(x))); });
    });
  }

  // A rank and an index share an item.
  static int64_t sort_indices(const runtime::RowSort& call) {
    using Item = std::conditional_t<sizeof(Bits) == 4, int64_t,
                                    std::conditional_t<sizeof(Bits) == 2, uint32_t, uint16_t>>;
    constexpr int kIndexBits = 8 * sizeof(Bits);
    static_assert(kLongestInNetwork <= 1 << 8);
    const auto& network = sorting_network(call.length);
    Items<Item> items{};
    return each_group<Item>(call.rows, call.length, [&](int64_t first, int64_t end) {
      read(call, first, end, items.data, [](Bits x, int64_t i) {
        return item_of<Item>(uint64_t{Keys::rank(x)} << kIndexBits | static_cast<uint64_t>(i));
      });
      sort_rows(items.data, network);
      write(items.data, call.length, end - first, call.indices + first * call.length, [](Item x) {
        return static_cast<int64_t>(number_of(x) & ((uint64_t{1} << kIndexBits) - 1));
      });
    });
  }

  static int64_t sort_pairs(const runtime::RowSort& call) {
    const auto& network = sorting_network(call.length);
    Items<int64_t> keys{}, indices{};
    return each_group<int64_t>(call.rows, call.length, [&](int64_t first, int64_t end) {
      read(call, first, end, keys.data,
           [](Bits x, int64_t) { return item_of<int64_t>(Keys::rank(x)); });
      read(call, first, end, indices.data, [](Bits, int64_t i) { return i; });
      sort_rows(keys.data, indices.data, network);
      write(indices.data, call.length, end - first, call.indices + first * call.length,
            [](int64_t i) { return i; });
    });
  }
};

}  // namespace hither::drivers::native_cpu
