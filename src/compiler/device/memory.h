// Address spaces of the memory that a device's kernel accesses.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Moves constant data to the address space `space`. Pointers into it are cast to their previous
/// address spaces. In SPIR-V it would otherwise become initialised private variables.
void move_constants(llvm::Module& module, unsigned space);

/// The address of a load, a store or an atomic, or null.
const llvm::Value* accessed_address(const llvm::Instruction& i);

/// True for an address that can only point to private variables.
bool is_private(const llvm::Value& pointer);

/// Expands memory copies and fills to loops.
void expand_memory_intrinsics(llvm::Function& f);

/// Refuses generic pointers whose address space could not be inferred, unless they point to private
/// variables. Throws Error kUnsupported naming `kernel`.
void refuse_generic_pointers(llvm::Function& f, const std::string& kernel);

}  // namespace hither::compiler
