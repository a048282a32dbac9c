// Emits the CPU kernel of a cluster that reads transposed operands.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "array/form/kernel_form.h"
#include "target/kernel_module.h"
#include "target/target.h"

namespace hither::array {

/// Precondition: the cluster has a tile dimension. An item computes a square of that dimension and
/// the last one. It transposes operands that are contiguous in the tile dimension, in registers,
/// into private memory, so that whole cache lines are read. Then it computes rows as vectors.
/// Global dimensions: all other dimensions, rows of squares, columns of squares. Parameters as for
/// emit().
target::KernelModule emit_tiles(const KernelForm& form, bool few_vectors);

/// The stride of the last dimension: a constant if the access determines it, else `argument`.
llvm::Value* stride_of(llvm::IRBuilder<>& b, Access access, llvm::Value* argument);

}  // namespace hither::array
