// The precision of matrix products.
#pragma once

#include <cstdint>

namespace hither {

/// The format to which the factors of float32 and complex64 products may be rounded before
/// multiplication, if that is faster; sums stay float32. It is a permission: devices may use full
/// precision, and other dtypes always do. With u = 2^-10 for kTensorFloat32 and 2^-8 for kBFloat16
/// the error of an element of a b is at most (2u + u^2) times the same element of |a| |b|, plus the
/// error of float32 summation.
enum class Precision : uint8_t { kFull, kTensorFloat32, kBFloat16 };

}  // namespace hither
