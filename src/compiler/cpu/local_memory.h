// Local memory of a kernel: globals in address space 3, one copy a group.
#pragma once

#include <cstdint>

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Makes every use of local memory an instruction of `kernel`: constant expressions are taken
/// apart.
void expand_local_memory(llvm::Module& module, llvm::Function& kernel);
/// Atomics on local memory become plain accesses: one thread runs the whole group, so nobody else
/// sees it. Fences that order a group's own accesses go. Precondition: the loops over items are
/// there, and those around atomics are not marked as parallel.
void relax_local_atomics(llvm::Function& kernel);
/// Puts each variable on the stack of `kernel`, which runs one group, uninitialised, and removes
/// the globals. Returns their bytes, alignment included.
int64_t place_local_memory(llvm::Module& module, llvm::Function& kernel);

}  // namespace hither::compiler
