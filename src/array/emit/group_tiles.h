// The kernel of a cluster that reads transposed operands, on GPUs.
#pragma once

#include "array/form/kernel_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Precondition: the form has a tile dimension. A group of kGroupTileItems has a square of it
/// and the last dimension: operands contiguous in the former go to local memory, read as they lie
/// and taken from there as the others lie. One global dimension: groups of everything else, then of
/// squares down, then of squares across. Parameters as emit() says.
target::KernelModule emit_group_tiles(const KernelForm& form);

}  // namespace hither::array
