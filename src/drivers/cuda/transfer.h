// Copies and fills in a stream, and queries of addresses.
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

/// Whether only the host can access it. Needs a current context, as is_managed_memory() does.
bool is_pageable(const void* address) noexcept;
bool is_managed_memory(const void* address) noexcept;

/// An allocation of any library in this process.
struct Extent {
  void* start;
  size_t bytes;
  CUdevice device;
  UsmType type;
  CUmemoryPool pool;  ///< its pool, or null
};
/// The allocation that contains `address`; empty for pageable host memory. Needs a current context.
std::optional<Extent> extent_of(const void* address) noexcept;

/// `context` is current, `to` is not pageable, and the ranges do not overlap.
void copy_in(CUstream stream, NativeContext& context, void* to, const void* from, size_t bytes);
/// Writes the pattern `count` times; its size is 1, 2, 4, 8 or 16.
void fill_in(CUstream stream, NativeContext& context, void* to, Pattern pattern, size_t count);

}  // namespace hither::drivers::cuda
