// Local memory of a kernel: globals in address space 3, with one instance for each group.
#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Expands constant expressions, so that every use of local memory is an instruction of `kernel`.
void expand_local_memory(llvm::Module& module, llvm::Function& kernel);
/// Replaces atomics on local memory by plain accesses, and removes fences of group scope: one
/// thread runs the whole group. Requires that the loops over items exist, and that loops with
/// atomics are not marked as parallel.
void relax_local_atomics(llvm::Function& kernel);
/// Places each variable on the stack of `kernel`, which runs one group, and removes the globals.
/// The variables are uninitialised. Returns their size in bytes, including alignment.
int64_t place_local_memory(llvm::Module& module, llvm::Function& kernel);

}  // namespace hither::compiler
