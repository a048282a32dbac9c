#include "compiler/cpu/short_loops.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "compiler/module/convergent_operation.h"
#include "compiler/module/uniformity.h"

namespace hither::compiler {
namespace {

/// Loops with more iterations, or more instructions in all iterations together, stay loops.
struct Limits {
  unsigned iterations;
  size_t instructions;
};
/// Of loops that items leave in different iterations. Each iteration adds a branch that fewer items
/// take.
constexpr Limits kLimits{4, 400};
/// Of innermost loops that run equally often for all items that enter them.
constexpr Limits kLimitsOfEqualLoops{32, 1000};

bool can_be_unrolled(const llvm::Loop& loop, unsigned trip_count, const Limits& limits) {
  if (trip_count > limits.iterations) return false;
  size_t instructions = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    instructions += block->size();
    for (const llvm::Instruction& i : *block)
      if (is_convergent(i)) return false;  // find_regions refuses it
  }
  return instructions * trip_count <= limits.instructions;
}

/// The largest trip count of any item, if the loop is to be unrolled. Otherwise 0.
unsigned trip_count_bound(const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                          llvm::Function& f) {
  const unsigned most = evolution.getSmallConstantMaxTripCount(&loop);
  const bool equal = loop.isInnermost() && evolution.getSmallConstantTripCount(&loop) == most;
  if (most == 0 || !can_be_unrolled(loop, most, equal ? kLimitsOfEqualLoops : kLimits)) return 0;
  return analyse_uniformity(f).leave_together(loop) ? 0 : most;
}

}  // namespace

llvm::PreservedAnalyses UnrollShortLoops::run(llvm::Function& f,
                                              llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  bool changed = false;
  const auto outer_first = loops.getLoopsInPreorder();
  // The remains of an unrolled inner loop count as part of the outer loop's iterations.
  for (llvm::Loop* loop : llvm::reverse(outer_first)) {
    const unsigned trip_count = trip_count_bound(*loop, evolution, f);
    if (trip_count == 0) continue;
    llvm::UnrollLoopOptions options{};
    options.Count = trip_count;
    options.Force = true;
    const auto result = llvm::UnrollLoop(
        loop, options, &loops, &evolution, &analyses.getResult<llvm::DominatorTreeAnalysis>(f),
        &analyses.getResult<llvm::AssumptionAnalysis>(f),
        &analyses.getResult<llvm::TargetIRAnalysis>(f),
        &analyses.getResult<llvm::OptimizationRemarkEmitterAnalysis>(f), /*PreserveLCSSA=*/true);
    changed |= result != llvm::LoopUnrollResult::Unmodified;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace hither::compiler
