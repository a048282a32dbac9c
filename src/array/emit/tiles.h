// The kernel of a cluster that reads transposed operands.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "array/form/kernel_form.h"
#include "target/kernel_module.h"
#include "target/target.h"

namespace hither::array {

/// Precondition: the cluster has a tile dimension. An item is a square of it and the last
/// dimension: operands contiguous in the former are transposed, in registers, into private memory,
/// whole cache lines at a time; then rows are computed as vectors. Global dimensions: everything
/// else, squares down, squares across. Parameters as emit() says.
target::KernelModule emit_tiles(const KernelForm& form, target::TargetKind kind);

/// The stride of the last dimension: a constant where the access says so, else `argument`.
llvm::Value* stride_of(llvm::IRBuilder<>& b, Access access, llvm::Value* argument);

}  // namespace hither::array
