#include "drivers/cuda/transfer.h"

#include <algorithm>

namespace hither::drivers::cuda {
namespace {

/// Up to this size a long pattern is set byte by byte; then it is copied.
constexpr size_t kFirstRun = size_t{64} << 10;
/// The limit of each copy of the beginning, so that it is read from the cache.
constexpr size_t kLongestRun = size_t{16} << 20;

/// 0 for memory that CUDA does not know, which is not an error of the combined query.
unsigned attribute_of(const void* address, int attribute) noexcept {
  unsigned value = 0;
  void* values[] = {&value};
  api().cuPointerGetAttributes(1, &attribute, values, address_of(address));
  return value;
}

/// The shortest pattern that gives the same bytes.
void shorten(Pattern& pattern, size_t& count) noexcept {
  while (pattern.size > 1) {
    const size_t half = pattern.size / 2;
    if (std::memcmp(pattern.bytes, pattern.bytes + half, half) != 0) return;
    pattern.size = half;
    count *= 2;
  }
}

template <class Word>
Word word_of(const Pattern& pattern) noexcept {
  Word word;
  std::memcpy(&word, pattern.bytes, sizeof word);
  return word;
}

/// Sets each byte of the pattern as a column of a matrix whose rows are the pattern.
void set_columns(CUstream stream, NativeContext& context, CUdeviceptr to, const Pattern& pattern,
                 size_t rows) {
  for (size_t i = 0; i < pattern.size; ++i)
    context.check(
        api().cuMemsetD2D8Async(to + i, pattern.size,
                                std::to_integer<unsigned char>(pattern.bytes[i]), 1, rows, stream),
        "cuMemsetD2D8Async", "Queue.fill");
}

}  // namespace

bool is_pageable(const void* address) noexcept {
  return attribute_of(address, kPointerMemoryType) == 0;
}

bool is_managed_memory(const void* address) noexcept {
  return attribute_of(address, kPointerIsManaged) != 0;
}

std::optional<Extent> extent_of(const void* address) noexcept {
  unsigned type = 0, managed = 0;
  int device = -1;
  CUdeviceptr start = 0;
  size_t bytes = 0;
  CUmemoryPool pool = nullptr;
  int which[] = {kPointerMemoryType, kPointerIsManaged,  kPointerDevice,
                 kPointerRangeStart, kPointerRangeBytes, kPointerPool};
  void* values[] = {&type, &managed, &device, &start, &bytes, &pool};
  if (api().cuPointerGetAttributes(std::size(which), which, values, address_of(address)) !=
          kSuccess ||
      type == 0)
    return std::nullopt;
  const UsmType usm = managed               ? UsmType::kShared
                      : type == kHostMemory ? UsmType::kHost
                                            : UsmType::kDevice;
  return Extent{reinterpret_cast<void*>(start), bytes, device, usm, pool};  // NOLINT
}

void copy_in(CUstream stream, NativeContext& context, void* to, const void* from, size_t bytes) {
  context.check(api().cuMemcpyAsync(address_of(to), address_of(from), bytes, stream),
                "cuMemcpyAsync", "Queue.copy");
}

void fill_in(CUstream stream, NativeContext& context, void* to, Pattern pattern, size_t count) {
  shorten(pattern, count);
  const CUdeviceptr start = address_of(to);
  const bool aligned = start % pattern.size == 0;
  if (pattern.size == 1)
    return context.check(
        api().cuMemsetD8Async(start, word_of<unsigned char>(pattern), count, stream),
        "cuMemsetD8Async", "Queue.fill");
  if (pattern.size == 2 && aligned)
    return context.check(api().cuMemsetD16Async(start, word_of<uint16_t>(pattern), count, stream),
                         "cuMemsetD16Async", "Queue.fill");
  if (pattern.size == 4 && aligned)
    return context.check(api().cuMemsetD32Async(start, word_of<uint32_t>(pattern), count, stream),
                         "cuMemsetD32Async", "Queue.fill");
  const size_t bytes = count * pattern.size;
  size_t done = std::min(bytes, kFirstRun);
  set_columns(stream, context, start, pattern, done / pattern.size);
  while (done < bytes) {
    const size_t n = std::min({done, bytes - done, kLongestRun});
    copy_in(stream, context, static_cast<char*>(to) + done, to, n);
    done += n;
  }
}

}  // namespace hither::drivers::cuda
