// Loop optimisations for CUDA devices.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hither::compiler {

/// Makes loops over range() end if the remaining count equals 0, instead of if it is not above 0.
/// LLVM then finds the small trip count of loops such as `range(item, 20, 16)` and does not unroll
/// them further. The front end marks the comparison of the count and its next value with the
/// metadata hither.trip_count. CPU code is not changed, because its vectoriser needs the original
/// form.
void end_loops_at_zero(llvm::Module& module);

/// Lets an innermost loop that two tests may end, one after another, compute what is between them
/// and then test both, if these are few operations. A branch takes as long as several of them.
struct JoinLoopExits : llvm::PassInfoMixin<JoinLoopExits> {
  static llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

/// Unrolls innermost loops of medium size with a known trip count by four. LLVM overestimates the
/// cost of square roots and divisions and would not unroll them, although loop control takes a
/// tenth of the time. Must run before LLVM's own unrolling.
class UnrollByFour : public llvm::PassInfoMixin<UnrollByFour> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& f, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace hither::compiler
