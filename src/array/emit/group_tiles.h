// Emits the GPU kernel of a cluster that reads transposed operands.
#pragma once

#include "array/form/kernel_form.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Precondition: the form has a tile dimension. A group of kGroupTileItems computes a square of
/// that dimension and the last one. It loads operands that are contiguous in the tile dimension
/// into local memory in their own order, and reads them from there in the order of the other
/// operands. The range has one dimension: groups ordered by all other dimensions, then by the
/// square's row, then by its column. Parameters as for emit().
target::KernelModule emit_group_tiles(const KernelForm& form);

}  // namespace hither::array
