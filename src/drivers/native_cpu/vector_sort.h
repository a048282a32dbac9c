// Sorts of unsigned integers on one thread, with the machine's vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hither::drivers::native_cpu {

/// A key, or a key and the index of its element: ordered by `high`, then by `low`. Its layout is
/// that of Highway's 128-bit keys.
struct alignas(16) KeyPair {
  uint64_t low, high;
  friend bool operator<(const KeyPair& x, const KeyPair& y) noexcept {
    return x.high != y.high ? x.high < y.high : x.low < y.low;
  }
};

/// Sort in ascending order, in place. Thread-safe.
void vector_sort(uint8_t* keys, size_t count);
void vector_sort(uint16_t* keys, size_t count);
void vector_sort(uint32_t* keys, size_t count);
void vector_sort(uint64_t* keys, size_t count);
void vector_sort(KeyPair* keys, size_t count);

/// vector_sort() in AVX2 where the machine has it.
void vector_sort_avx2(uint32_t* keys, size_t count);

}  // namespace hither::drivers::native_cpu
