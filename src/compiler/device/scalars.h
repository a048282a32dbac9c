// Vectors taken apart: SPIR-V has few lengths, and devices make vectors of items themselves.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Rewrites what LLVM's scalariser leaves alone (calls, reductions, bit casts between vectors and
/// scalars) lane by lane. The scalariser does the rest.
void scalarise_vector_calls(llvm::Function& f);

/// Addresses of vectors, and variables of them, are counted in bytes from here on.
void lower_vector_memory(llvm::Function& f);

/// The type of a vector that is left, or null.
llvm::Type* remaining_vector(const llvm::Function& f);

}  // namespace hither::compiler
