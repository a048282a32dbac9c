// Emits row kernels for GPUs, where several items share a row.
#pragma once

#include "array/form/row_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// For a form with a team. Parameters as for emit().
target::KernelModule emit_team(const RowForm& rows);

}  // namespace hither::array
