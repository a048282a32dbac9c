// Matrix products, computed by the device's BLAS if it has one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <hither/array.h>
#include <hither/precision.h>

namespace hither {

/// Matrix product over the last two axes; the leading axes broadcast; a vector is a row on the
/// left, a column on the right. float32, float64 and their complex dtypes are computed by the
/// device's BLAS (without copies of strided and transposed operands), float16 and bfloat16 so in
/// float32 if it does not take them, and other dtypes by a kernel that accumulates in the result
/// dtype. Lazy. Errors: kValue for shapes,
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
/// Cross products of vectors along an axis, which has extent 3 in both arrays; the other axes
/// broadcast. The axis is negative: it counts from the end. Lazy. Errors: kType
/// for bools, kValue for shapes.
HITHER_EXPORT Array cross(const Array& a, const Array& b, int axis = -1,
                          const Queue* queue = nullptr);
/// `size` numbers that a function of device_library/matrices.cpp writes, which see: its name
/// without the prefix and the type, its operands, and its integers. It is called by `items` items.
/// All operands have the result's dtype, float32, float64, complex64 or complex128, and are read in
/// C order. The integers are not checked. Lazy, but the operands are submitted. Errors: kType,
/// kPlacement.
HITHER_EXPORT Array matrix_function(std::string_view function,
                                    std::span<const Array* const> operands,
                                    std::span<const int64_t> integers, int64_t items, int64_t size,
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
