// A kernel over rows: from its form to a kernel module.
#pragma once

#include "array/form/row_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Parameters: addresses of the outputs, the producers', rows, elements of a row, extents outside
/// of a row but for the first, and for each leaf its strides outside and, unless it is 0 or 1, the
/// one along a row.
target::KernelModule emit(const RowForm& rows);

}  // namespace hither::array
