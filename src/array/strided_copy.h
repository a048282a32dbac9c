// Copies between strided and packed host memory.
#pragma once

#include <hither/dims.h>

namespace hither::array {

/// Copies elements of `size` bytes between two layouts of one shape. Strides are in bytes.
void strided_copy(void* to, const Dims& to_strides, const void* from, const Dims& from_strides,
                  const Dims& shape, int64_t size) noexcept;

}  // namespace hither::array
