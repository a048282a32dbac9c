// Sizes of a kernel's tables, and the numbering of its operands.
#pragma once

#include <cstdint>

namespace hither::array {

inline constexpr int kMaxInputs = 3;
inline constexpr int kMaxNodes = 64;
inline constexpr int kMaxNumbers = 128;
inline constexpr int kMaxLeaves = 16;
inline constexpr int kMaxOutputs = 32;

/// An operand inside a kernel, as one byte: nodes first, then leaves, then numbers.
using Slot = uint8_t;
inline constexpr Slot kLeafSlot = kMaxNodes;
inline constexpr Slot kNumberSlot = kMaxNodes + kMaxLeaves;
static_assert(kMaxNodes + kMaxLeaves + kMaxNumbers <= 256, "a slot is one byte");

}  // namespace hither::array
