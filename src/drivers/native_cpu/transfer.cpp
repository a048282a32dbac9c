#include "drivers/native_cpu/transfer.h"

#include <algorithm>
#include <cstdint>

namespace hither::drivers::native_cpu {
namespace {

/// Sizes up to this are copied by one thread, because waking another costs more.
constexpr size_t kPartBytes = size_t{1} << 20;

/// Calls body(offset, bytes) for parts of [0, bytes), at boundaries of whole patterns and pages.
template <class Body>
void in_parts(size_t bytes, Arena& arena, const Body& body) noexcept {
  if (bytes < 2 * kPartBytes) return body(size_t{0}, bytes);
  struct Split {
    const Body& body;
    size_t bytes;
  } split{body, bytes};
  arena.for_each(
      static_cast<int64_t>((bytes + kPartBytes - 1) / kPartBytes),
      [](void* data, int64_t i) {
        const Split& s = *static_cast<const Split*>(data);
        const size_t begin = static_cast<size_t>(i) * kPartBytes;
        s.body(begin, std::min(kPartBytes, s.bytes - begin));
      },
      &split);
}

}  // namespace

void copy_bytes(void* to, const void* from, size_t bytes, Arena& arena) noexcept {
  auto* const target = static_cast<char*>(to);
  const auto* const source = static_cast<const char*>(from);
  if (target < source + bytes && source < target + bytes) {
    std::memmove(to, from, bytes);
    return;
  }
  in_parts(bytes, arena,
           [=](size_t begin, size_t n) { std::memcpy(target + begin, source + begin, n); });
}

void fill_pattern(void* to, const Pattern& pattern, size_t count, Arena& arena) noexcept {
  auto* const target = static_cast<char*>(to);
  const auto* const bytes = reinterpret_cast<const char*>(pattern.bytes);
  const size_t size = pattern.size;
  const bool is_one_byte =
      std::all_of(bytes, bytes + size, [bytes](char b) { return b == bytes[0]; });
  in_parts(count * size, arena, [=](size_t begin, size_t n) {
    char* const part = target + begin;
    if (is_one_byte) {
      std::memset(part, bytes[0], n);
      return;
    }
    // Write a short run of the pattern, then copies of it, so that the run stays in the first-level
    // cache.
    const size_t run = std::min<size_t>(n, 4096);
    for (size_t i = 0; i < run; i += size) std::memcpy(part + i, bytes, size);
    for (size_t i = run; i < n; i += run) std::memcpy(part + i, part, std::min(run, n - i));
  });
}

}  // namespace hither::drivers::native_cpu
