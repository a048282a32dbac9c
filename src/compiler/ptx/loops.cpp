#include "compiler/ptx/loops.h"

#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace hither::compiler {
namespace {

constexpr unsigned kTogether = 4;
/// LLVM unrolls shorter loops itself, by at least as much.
constexpr size_t kFewestInstructions = 16, kMostInstructions = 64;

bool is_of_middle_size(const llvm::Loop& loop) {
  size_t instructions = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) instructions += block->size();
  return instructions >= kFewestInstructions && instructions <= kMostInstructions;
}

/// Operations between two tests of a loop, at most.
constexpr unsigned kBetweenTests = 16;

constexpr const char* kTripCount = "hither.trip_count";

}  // namespace

void end_loops_at_zero(llvm::Module& module) {
  for (llvm::Function& f : module)
    for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
      if (!i.hasMetadata(kTripCount)) continue;
      if (auto* more = llvm::dyn_cast<llvm::ICmpInst>(&i)) {
        more->setPredicate(llvm::CmpInst::ICMP_NE);
        continue;
      }
      // A count of 0 stays 0, for iterators that are used after their end.
      llvm::IRBuilder<> b(i.getNextNode());
      llvm::Value* count = i.getOperand(0);
      auto* left = llvm::cast<llvm::SelectInst>(
          b.CreateSelect(b.CreateIsNotNull(count), &i, llvm::ConstantInt::get(i.getType(), 0)));
      i.replaceUsesWithIf(left, [&](const llvm::Use& use) { return use.getUser() != left; });
    }
}

llvm::PreservedAnalyses JoinLoopExits::run(llvm::Function& f,
                                           llvm::FunctionAnalysisManager& analyses) {
  std::vector<llvm::BranchInst*> tests;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*> exiting;
    if (loop->isInnermost()) loop->getExitingBlocks(exiting);
    for (llvm::BasicBlock* block : exiting)
      if (auto* test = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()))
        tests.push_back(test);
  }
  bool changed = false;
  const auto& costs = analyses.getResult<llvm::TargetIRAnalysis>(f);
  for (llvm::BranchInst* test : tests)
    changed |= llvm::FoldBranchToCommonDest(test, nullptr, nullptr, &costs, kBetweenTests);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses UnrollByFour::run(llvm::Function& f,
                                          llvm::FunctionAnalysisManager& analyses) {
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(f).getLoopsInPreorder()) {
    const unsigned trip_count = evolution.getSmallConstantTripCount(loop);
    if (!loop->isInnermost() || trip_count == 0 || trip_count % kTogether != 0 ||
        !is_of_middle_size(*loop) ||
        llvm::getBooleanLoopAttribute(loop, "llvm.loop.unroll.disable"))
      continue;
    llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", kTogether);
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace hither::compiler
