// Matrix products, computed by the device's BLAS if it has one.
#pragma once

#include <string>
#include <vector>

#include <hither/array.h>
#include <hither/precision.h>

namespace hither {

/// Matrix product over the last two axes; the leading axes broadcast; a vector is a row on the
/// left, a column on the right. float32, float64 and their complex dtypes are computed by the
/// device's BLAS (without copies of strided and transposed operands), other dtypes by a kernel that
/// accumulates in the result dtype (float16 in float32). Lazy. Errors: kValue for shapes,
/// kPlacement.
HITHER_EXPORT Array matmul(const Array& a, const Array& b, const Queue* queue = nullptr,
                           Precision precision = Precision::kFull);
/// Sum of products over pairs of axes: axes_a of a and axes_b of b. The result has the other axes
/// of a, then those of b.
HITHER_EXPORT Array tensordot(const Array& a, const Array& b, const Dims& axes_a,
                              const Dims& axes_b, const Queue* queue = nullptr);
/// The same over a's last and b's first `count` axes.
HITHER_EXPORT Array tensordot(const Array& a, const Array& b, int count,
                              const Queue* queue = nullptr);
/// sum(conj(a) * b) along an axis; the other axes broadcast. The axis is negative: it counts from
/// the end.
HITHER_EXPORT Array vecdot(const Array& a, const Array& b, int axis = -1,
                           const Queue* queue = nullptr);
/// A view with the last two axes exchanged.
HITHER_EXPORT Array matrix_transpose(const Array& x);

/// The BLAS that the device uses, such as "OpenBLAS 0.3.29 ..."; empty if it has none and hither's
/// kernels are used.
HITHER_EXPORT std::string blas_name(const Device& device);
/// Sets the BLAS library that CPU devices open at their first product. HITHER_OPENBLAS takes
/// precedence. No effect after the first product.
HITHER_EXPORT void set_blas_library(const std::string& path);
/// Adds folders in which NVIDIA's libraries are searched. Call it before the first use of such a
/// library.
HITHER_EXPORT void set_cuda_folders(std::vector<std::string> folders);

}  // namespace hither
