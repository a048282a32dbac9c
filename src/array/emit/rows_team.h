// The kernels over rows of GPUs, where items share a row.
#pragma once

#include "array/form/row_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Of a form that has a team; parameters as emit() says.
target::KernelModule emit_team(const RowForm& rows);

}  // namespace hither::array
