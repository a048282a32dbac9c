// The flat parameter list of a kernel: pointers and scalars, passed by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hither::target {

enum class Parameter : uint8_t {
  kPointer,  ///< USM address; `ptr addrspace(1)` in the kernel's IR
  kInt8,
  kInt16,
  kInt32,
  kInt64,  ///< also for unsigned and bool (i8; i1 is passed as i8)
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,  ///< `{float, float}`, `{double, double}`
  kLocalBytes,  ///< dynamic local memory: the slot holds its size in bytes, the kernel gets
                ///< `ptr addrspace(3)`
};

constexpr size_t size_of(Parameter p) noexcept {
  constexpr uint8_t sizes[] = {8, 1, 2, 4, 8, 2, 4, 8, 8, 16, 8};
  return sizes[static_cast<int>(p)];
}

/// Arguments are packed in order into 8-byte slots: each starts at a multiple of 8 bytes,
/// complex128 takes two slots, all others one.
struct Signature {
  std::vector<Parameter> parameters;
  size_t packed_bytes() const noexcept {
    size_t n = 0;
    for (Parameter p : parameters) n += (size_of(p) + 7) / 8 * 8;
    return n;
  }
  friend bool operator==(const Signature&, const Signature&) = default;
};

}  // namespace hither::target
