// Where the memory that a device's kernel reaches lies.
#pragma once

#include <string>

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// Constant data goes to `space`, the device's for it; in SPIR-V private variables with a value
/// would come of it else. Pointers into it are cast to the spaces that they had.
void move_constants(llvm::Module& module, unsigned space);

/// The address that a load, a store or an atomic uses, or null.
const llvm::Value* accessed_address(const llvm::Instruction& i);

/// True for an address that can only be of private variables.
bool is_private(const llvm::Value& pointer);

/// Copies and fills of memory become loops.
void expand_memory_intrinsics(llvm::Function& f);

/// Refuses what is left of generic pointers when all have been traced back to where they came from:
/// only private variables may be reached through them. Throws Error kUnsupported naming `kernel`.
void refuse_generic_pointers(llvm::Function& f, const std::string& kernel);

}  // namespace hither::compiler
