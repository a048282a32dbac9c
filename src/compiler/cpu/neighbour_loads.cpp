#include "compiler/cpu/neighbour_loads.h"

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::LoadInst;

/// A page of memory: an address between two that are not further apart is in one of their pages.
constexpr int64_t kMostBetween = 4096;

/// The loads of one innermost loop.
class LoopLoads {
 public:
  LoopLoads(const llvm::Loop& loop, llvm::DominatorTree& dominators,
            llvm::ScalarEvolution& evolution)
      : loop_(loop), dominators_(dominators), evolution_(evolution) {
    for (BasicBlock* block : loop.blocks())
      for (Instruction& i : *block) {
        auto* load = llvm::dyn_cast<LoadInst>(&i);
        if (load && load->isSimple() && !load->getType()->isVectorTy())
          (is_always(*block) ? always_ : sometimes_).push_back(load);
        if (!is_always(*block) && i.mayWriteToMemory()) writes_sometimes_ = true;
      }
  }

  bool move() {
    if (writes_sometimes_ || always_.empty()) return false;
    bool moved = false;
    for (LoadInst* load : sometimes_) moved |= move(*load);
    return moved;
  }

 private:
  bool is_always(BasicBlock& block) const {
    return dominators_.dominates(&block, loop_.getLoopLatch());
  }

  bool move(LoadInst& load) {
    BasicBlock* before = load.getParent();
    while (!is_always(*before)) before = dominators_.getNode(before)->getIDom()->getBlock();
    Instruction* place = before->getTerminator();
    auto* address = llvm::dyn_cast<Instruction>(load.getPointerOperand());
    if (!address || !is_between(load, *before)) return false;
    if (!dominators_.dominates(address, place)) {
      if (!llvm::isa<llvm::GetElementPtrInst>(address)) return false;
      for (const llvm::Use& use : address->operands())
        if (!dominators_.dominates(use.get(), place)) return false;
      address->moveBefore(place);
      address->dropPoisonGeneratingFlags();
    }
    load.moveBefore(place);
    load.setMetadata(llvm::LLVMContext::MD_noundef, nullptr);
    always_.push_back(&load);
    return true;
  }

  /// Whether the block, or one that runs before it in the iteration, loads from both sides.
  bool is_between(const LoadInst& load, BasicBlock& block) {
    std::optional<int64_t> below, above;
    for (const LoadInst* other : always_) {
      if (!dominators_.dominates(other->getParent(), &block)) continue;
      const auto after = distance(*other, load);
      if (!after) continue;
      if (*after >= 0) below = std::min(*after, below.value_or(*after));
      const int64_t end = size(*other) - size(load) - *after;
      if (end >= 0) above = std::min(end, above.value_or(end));
    }
    return below && above && *below + *above + size(load) <= kMostBetween;
  }

  /// The bytes from one address to the other, if they are known.
  std::optional<int64_t> distance(const LoadInst& from, const LoadInst& to) {
    const llvm::SCEV* apart = evolution_.getMinusSCEV(address(to), address(from));
    auto* bytes = llvm::dyn_cast<llvm::SCEVConstant>(apart);
    if (!bytes) return std::nullopt;
    return bytes->getAPInt().trySExtValue();
  }
  const llvm::SCEV* address(const LoadInst& load) {
    return evolution_.getSCEV(const_cast<llvm::Value*>(load.getPointerOperand()));
  }
  static int64_t size(const LoadInst& load) {
    return static_cast<int64_t>(
        load.getModule()->getDataLayout().getTypeStoreSize(load.getType()).getFixedValue());
  }

  const llvm::Loop& loop_;
  llvm::DominatorTree& dominators_;
  llvm::ScalarEvolution& evolution_;
  llvm::SmallVector<LoadInst*, 16> always_, sometimes_;
  bool writes_sometimes_ = false;
};

}  // namespace

llvm::PreservedAnalyses LoadNeighboursAlways::run(llvm::Function& f,
                                                  llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  bool moved = false;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getLoopLatch())
      moved |= LoopLoads(*loop, dominators, evolution).move();
  if (!moved) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace hither::compiler
