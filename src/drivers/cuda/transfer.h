// Copies and fills in a stream, and what CUDA knows of addresses.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>

#include <hither/memory.h>

#include "drivers/cuda/native_context.h"

namespace hither::drivers::cuda {

/// A copy of the bytes that a fill repeats.
struct Pattern {
  alignas(16) std::byte bytes[16];
  size_t size;
  Pattern(const void* from, size_t n) noexcept : size(n) { std::memcpy(bytes, from, n); }
};

/// Whether only the host reaches it. With a current context, as is_managed_memory().
bool is_pageable(const void* address) noexcept;
bool is_managed_memory(const void* address) noexcept;

/// An allocation of whoever made it in this process.
struct Extent {
  void* start;
  size_t bytes;
  CUdevice device;
  UsmType type;
  CUmemoryPool pool;  ///< that it came from, or null
};
/// The one that holds `address`; empty where only the host knows it. With a current context.
std::optional<Extent> extent_of(const void* address) noexcept;

/// With `context` current. `to` is not pageable; ranges do not overlap.
void copy_in(CUstream stream, NativeContext& context, void* to, const void* from, size_t bytes);
/// `count` times the pattern, whose size is 1, 2, 4, 8 or 16.
void fill_in(CUstream stream, NativeContext& context, void* to, Pattern pattern, size_t count);

}  // namespace hither::drivers::cuda
