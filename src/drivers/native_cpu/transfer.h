// Copies and fills on the threads of an arena.
#pragma once

#include <cstddef>
#include <cstring>

#include "drivers/native_cpu/arena.h"

namespace hither::drivers::native_cpu {

/// A copy of the bytes that a fill repeats.
struct Pattern {
  alignas(16) std::byte bytes[16];
  size_t size;
  Pattern(const void* from, size_t n) noexcept : size(n) { std::memcpy(bytes, from, n); }
};

/// Ranges may overlap.
void copy_bytes(void* to, const void* from, size_t bytes, Arena& arena) noexcept;
/// Writes the pattern `count` times; its size is 1, 2, 4, 8 or 16.
void fill_pattern(void* to, const Pattern& pattern, size_t count, Arena& arena) noexcept;

}  // namespace hither::drivers::native_cpu
