// Emits the kernel module of an element-wise kernel.
#pragma once

#include "array/form/kernel_form.h"
#include "target/kernel_module.h"
#include "target/target.h"

namespace hither::array {

/// Parameters in order: output addresses, leaf addresses, numbers, strides of every leaf that is
/// not kLinear (one per collapsed dimension), strides of a strided root, and extents. The extents
/// are all of them for forms with tiles; otherwise they are those of the dimensions that share the
/// range's first dimension, where several do. `few_vectors`: DeviceFacts::compiles_vectors_slowly.
target::KernelModule emit(const KernelForm& form, bool few_vectors);

}  // namespace hither::array
