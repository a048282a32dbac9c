// Emits the kernel module of a row kernel.
#pragma once

#include "array/form/row_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Parameters: addresses of the outputs, the producers' parameters, number of rows, length of a
/// row, extents outside a row without the first, and for each leaf its outer strides and, unless
/// its stride along a row is 0 or 1, that stride.
target::KernelModule emit(const RowForm& rows);

}  // namespace hither::array
