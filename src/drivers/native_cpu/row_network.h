// Sorting networks, which sort several short rows at once in vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hither::drivers::native_cpu {

/// The number of rows that are sorted at once: element i of row r is at i * kRowsAtOnce<Item> + r.
template <class Item>
inline constexpr int64_t kRowsAtOnce = 64 / static_cast<int64_t>(sizeof(Item));

inline constexpr int64_t kMostAtOnce = kRowsAtOnce<uint8_t>;

/// Exchanges elements `low` and `high` of each row unless they are in order.
struct Exchange {
  uint16_t low, high;
};

/// The longest rows that have a network. Longer ones are sorted faster one by one.
inline constexpr int64_t kLongestInNetwork = 256;

/// The exchanges that sort rows of `length` elements (merge exchange sort: Batcher, 1968), which
/// are kept. Thread-safe.
const std::vector<Exchange>& sorting_network(int64_t length);

/// Sort rows in ascending order. `items` is aligned to 64 bytes. Thread-safe.
void sort_rows(uint8_t* items, const std::vector<Exchange>& network);
void sort_rows(uint16_t* items, const std::vector<Exchange>& network);
void sort_rows(uint32_t* items, const std::vector<Exchange>& network);
void sort_rows(int64_t* items, const std::vector<Exchange>& network);
/// Items with equal keys are ordered by their indices.
void sort_rows(int64_t* keys, int64_t* indices, const std::vector<Exchange>& network);

}  // namespace hither::drivers::native_cpu
