// An element-wise kernel's form becomes a kernel module.
#pragma once

#include "array/form/kernel_form.h"
#include "target/kernel_module.h"
#include "target/target.h"

namespace hither::array {

/// Parameters in order: output addresses, leaf addresses, numbers, strides of every leaf that is
/// not kLinear (one for each collapsed dimension), strides of a strided root, and the extents: of
/// forms with tiles all, else those that the range's first dimension holds, where it holds several.
/// `kind` is what the code is for.
target::KernelModule emit(const KernelForm& form, target::TargetKind kind);

}  // namespace hither::array
