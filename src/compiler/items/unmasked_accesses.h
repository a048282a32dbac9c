// Accesses to the variables of items without masks.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// Vectors of at most this many items access the variable.
inline constexpr uint64_t kMostLanes = 64;

/// States that the address of each access to the variable is inside of it, also if the access is
/// masked for all items, and that kMostLanes - 1 elements follow those of the items.
void allow_unmasked_accesses(llvm::AllocaInst& variable);

/// Masked accesses of vectors to such variables become accesses of whole vectors: a load ignores
/// the mask, and a store writes back the old elements where the mask is false. Only this thread
/// accesses the variable. Masked stores are slow on processors without AVX-512 (tens of cycles on
/// AMD's), and a load that follows one waits for it on all.
class UnmaskAccesses : public llvm::PassInfoMixin<UnmaskAccesses> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
