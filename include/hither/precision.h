// How exactly products are wanted.
#pragma once

#include <cstdint>

namespace hither {

/// How the factors of a product of float32 or complex64 may be rounded before they are multiplied,
/// where the device is faster so; sums stay float32. A permission: devices may compute in full, and
/// other dtypes are. With u = 2^-10 for kTensorFloat32 and 2^-8 for kBFloat16 an element of a b is
/// off by no more than (2u + u^2) of the same element of |a| |b|, beside what float32 sums are off.
enum class Precision : uint8_t { kFull, kTensorFloat32, kBFloat16 };

}  // namespace hither
