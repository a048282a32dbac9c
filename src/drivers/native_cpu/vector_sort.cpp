#include "drivers/native_cpu/vector_sort.h"

#include <algorithm>
#include <cstring>

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/detect_targets.h>
// Highway has a target of its own for machines with slow AVX-512 instructions since version 1.0.4.
#if defined(__x86_64__) && !defined(HWY_AVX3_ZEN4)
#define HITHER_AVOIDS_AVX512
#include <cpuid.h>
#endif

namespace hither::drivers::native_cpu {
namespace {

// Below this number of keys a library call costs more than an insertion sort.
constexpr size_t kFew = 12;

template <class Key>
bool sort_few(Key* keys, size_t count) {
  if (count > kFew) return false;
  for (size_t i = 1; i < count; ++i) {
    const Key key = keys[i];
    size_t to = i;
    for (; to > 0 && key < keys[to - 1]; --to) keys[to] = keys[to - 1];
    keys[to] = key;
  }
  return true;
}

const hwy::Sorter& sorter() {
  static thread_local const hwy::Sorter instance;  // it has scratch memory
  return instance;
}

#ifdef HITHER_AVOIDS_AVX512
// AMD's family 19h with AVX-512 (Zen 4) compresses 32-bit vectors to memory in microcode, which
// makes the AVX-512 sort of 32-bit keys eight times slower than that for AVX2. Its sorts of other
// keys are not affected.
bool compresses_slowly() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  __builtin_cpu_init();
  if (!__builtin_cpu_is("amd") || !__builtin_cpu_supports("avx512f") ||
      !__get_cpuid(1, &a, &b, &c, &d))
    return false;
  return ((a >> 8) & 0xf) + ((a >> 20) & 0xff) == 0x19;
}
#endif

}  // namespace

void vector_sort(uint8_t* keys, size_t count) {
  if (sort_few(keys, count)) return;
  size_t counts[256] = {};
  for (size_t i = 0; i < count; ++i) ++counts[keys[i]];
  for (int key = 0; key < 256; ++key) {
    std::memset(keys, key, counts[key]);
    keys += counts[key];
  }
}

void vector_sort(uint16_t* keys, size_t count) {
  if (!sort_few(keys, count)) sorter()(keys, count, hwy::SortAscending());
}

void vector_sort(uint32_t* keys, size_t count) {
  if (sort_few(keys, count)) return;
#ifdef HITHER_AVOIDS_AVX512
  static const bool in_avx2 = compresses_slowly();
  if (in_avx2) return vector_sort_avx2(keys, count);
#endif
  sorter()(keys, count, hwy::SortAscending());
}

void vector_sort(uint64_t* keys, size_t count) {
  if (!sort_few(keys, count)) sorter()(keys, count, hwy::SortAscending());
}

void vector_sort(KeyPair* keys, size_t count) {
  static_assert(sizeof(KeyPair) == sizeof(hwy::uint128_t));
  if (!sort_few(keys, count))
    sorter()(reinterpret_cast<hwy::uint128_t*>(keys), count, hwy::SortAscending());
}

}  // namespace hither::drivers::native_cpu
