#include "compiler/ptx_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace hither::compiler {
namespace {

constexpr unsigned kTurns = 4;
/// Of shorter loops LLVM takes as many turns together by itself, or more.
constexpr size_t kFewestInstructions = 16, kMostInstructions = 64;

bool is_of_our_size(const llvm::Loop& loop) {
  size_t instructions = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) instructions += block->size();
  return instructions >= kFewestInstructions && instructions <= kMostInstructions;
}

}  // namespace

llvm::PreservedAnalyses UnrollByFour::run(llvm::Function& f,
                                          llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    const unsigned turns = evolution.getSmallConstantTripCount(loop);
    if (!loop->isInnermost() || turns == 0 || turns % kTurns != 0 || !is_of_our_size(*loop) ||
        llvm::getBooleanLoopAttribute(loop, "llvm.loop.unroll.disable"))
      continue;
    llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", kTurns);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace hither::compiler
