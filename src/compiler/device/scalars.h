// Turns vectors into scalars. SPIR-V supports few vector lengths, and devices vectorise over items.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Rewrites operations that LLVM's scalariser does not handle (calls, reductions, bit casts between
/// vectors and scalars) lane by lane. The scalariser must run afterwards.
void scalarise_vector_calls(llvm::Function& f);

/// Rewrites address arithmetic on vectors, and variables of vector type, in bytes.
void lower_vector_memory(llvm::Function& f);

/// The type of a remaining vector, or null.
llvm::Type* remaining_vector(const llvm::Function& f);

}  // namespace hither::compiler
