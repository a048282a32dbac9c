// Products of matrices, through the device's BLAS where it has one.
#pragma once

#include <string>
#include <vector>

#include <hither/array.h>
#include <hither/precision.h>

namespace hither {

/// Matrix product of the last two axes, leading ones broadcast; a vector is a row on the left, a
/// column on the right. float32, float64 and their complex dtypes go to the device's BLAS (strided
/// and transposed operands as they are), others to a kernel that accumulates in the result dtype
/// (float16 in float32). Lazy. Errors: kValue for shapes, kPlacement.
HITHER_EXPORT Array matmul(const Array& a, const Array& b, const Queue* queue = nullptr,
                           Precision precision = Precision::kFull);
/// Sum of products over a's axes_a and b's axes_b, in pairs; the other axes of a, then of b, stay.
HITHER_EXPORT Array tensordot(const Array& a, const Array& b, const Dims& axes_a,
                              const Dims& axes_b, const Queue* queue = nullptr);
/// The same over a's last and b's first `count` axes.
HITHER_EXPORT Array tensordot(const Array& a, const Array& b, int count,
                              const Queue* queue = nullptr);
/// sum(conj(a) * b) along an axis, the others broadcast; the axis is negative, counted from the
/// end.
HITHER_EXPORT Array vecdot(const Array& a, const Array& b, int axis = -1,
                           const Queue* queue = nullptr);
/// A view with the last two axes exchanged.
HITHER_EXPORT Array matrix_transpose(const Array& x);

/// Which BLAS the queue's device uses, "OpenBLAS 0.3.29 ..."; empty when it has none and portable
/// kernels are used.
HITHER_EXPORT std::string blas_name(const Device& device);
/// Names the BLAS library that CPU devices open at their first product, before it (HITHER_OPENBLAS
/// in the environment wins). No effect afterwards.
HITHER_EXPORT void set_blas_library(const std::string& path);
/// Folders in which NVIDIA's libraries may be, beside the usual ones; to be called before the first
/// use of one.
HITHER_EXPORT void set_cuda_folders(std::vector<std::string> folders);

}  // namespace hither
