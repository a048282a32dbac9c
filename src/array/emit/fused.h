// Emits the kernel module of an element-wise kernel.
#pragma once

#include "array/form/kernel_form.h"
#include "target/kernel_module.h"
#include "target/target.h"

namespace hither::array {

/// Parameters in order: output addresses, leaf addresses, numbers, strides of every leaf that is
/// not kLinear (one per collapsed dimension), strides of a strided root, and extents. The extents
/// are all of them for forms with tiles; otherwise they are those of the dimensions that share the
/// range's first dimension, where several do. `kind` is the target of the code.
target::KernelModule emit(const KernelForm& form, target::TargetKind kind);

}  // namespace hither::array
