#include "compiler/items/checked_ranges.h"

#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopConstrainer.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::ICmpInst;
using llvm::Value;

/// `index predicate bound` is a check that holds in the middle part. The index is `start` in the
/// first iteration, and one more in each following one.
struct RangeCheck {
  ICmpInst* comparison;
  llvm::CmpInst::Predicate predicate;
  const llvm::SCEV* start;
  Value* bound;
  bool value;  ///< of the comparison, in the middle part
};

/// A condition that the loop does not change, with its value in the middle part.
struct FixedCheck {
  llvm::Use* use;
  bool value;
};

class CheckedLoop {
 public:
  CheckedLoop(llvm::Loop& loop, llvm::LoopInfo& loops, llvm::DominatorTree& dominators,
              llvm::PostDominatorTree& post_dominators, llvm::ScalarEvolution& evolution)
      : loop_(loop),
        loops_(loops),
        dominators_(dominators),
        post_dominators_(post_dominators),
        evolution_(evolution) {}

  bool split() {
    if (!loop_.isLoopSimplifyForm() || !loop_.isLCSSAForm(dominators_)) return false;
    find_checks();
    if (ranges_.empty() && fixed_.empty()) return false;
    const auto structure = counting();
    return structure && split(*structure);
  }

 private:
  /// The form `do ...; while (++index < end)`, entered if `index < end`. LLVM's own function for
  /// this also requires an end that is known not to be negative.
  std::optional<llvm::LoopStructure> counting() const {
    using namespace llvm::PatternMatch;
    llvm::LoopStructure s;
    s.Tag = "main";
    s.Header = loop_.getHeader();
    s.Latch = loop_.getLoopLatch();
    s.LatchBr = llvm::dyn_cast<BranchInst>(s.Latch->getTerminator());
    if (!s.LatchBr || loop_.getExitingBlock() != s.Latch) return std::nullopt;
    s.LatchBrExitIdx = 1;
    s.LatchExit = s.LatchBr->getSuccessor(1);
    auto* comparison = llvm::dyn_cast<ICmpInst>(s.LatchBr->getCondition());
    if (!comparison || s.LatchExit == s.Header) return std::nullopt;
    const bool swapped = loop_.isLoopInvariant(comparison->getOperand(0));
    const auto predicate = swapped ? comparison->getSwappedPredicate() : comparison->getPredicate();
    s.IndVarBase = comparison->getOperand(swapped ? 1 : 0);
    s.LoopExitAt = comparison->getOperand(swapped ? 0 : 1);
    s.IsSignedPredicate = ICmpInst::isSigned(predicate);
    Value* before = nullptr;
    if (!ICmpInst::isLT(predicate) || !loop_.isLoopInvariant(s.LoopExitAt) ||
        !match(s.IndVarBase, m_NSWAdd(m_Value(before), m_One())))
      return std::nullopt;
    auto* index = llvm::dyn_cast<llvm::PHINode>(before);
    if (!index || index->getParent() != s.Header || !index->getType()->isIntegerTy(64))
      return std::nullopt;
    s.IndVarStart = index->getIncomingValueForBlock(loop_.getLoopPreheader());
    s.IndVarStep = llvm::ConstantInt::get(index->getType(), 1);
    s.IndVarIncreasing = true;
    s.ExitCountTy = llvm::cast<llvm::IntegerType>(index->getType());
    if (!evolution_.isLoopEntryGuardedByCond(&loop_, predicate, evolution_.getSCEV(s.IndVarStart),
                                             evolution_.getSCEV(s.LoopExitAt)))
      return std::nullopt;
    return s;
  }

  void find_checks() {
    const llvm::Instruction* last = loop_.getLoopLatch()->getTerminator();
    for (BasicBlock* block : loop_.blocks()) {
      for (llvm::Instruction& i : *block)
        if (auto* comparison = llvm::dyn_cast<ICmpInst>(&i);
            comparison && !llvm::is_contained(comparison->users(), last))
          add_range(*comparison);
      if (auto* branch = llvm::dyn_cast<BranchInst>(block->getTerminator());
          branch && branch->isConditional() && branch != last)
        add_fixed(*branch);
    }
  }

  /// The value of a branch's condition with which its block is not left out: nothing if both
  /// successors have instructions of their own.
  std::optional<bool> entering(const BranchInst& branch) const {
    const BasicBlock* block = branch.getParent();
    if (!loop_.contains(branch.getSuccessor(0)) || !loop_.contains(branch.getSuccessor(1)))
      return std::nullopt;
    if (post_dominators_.dominates(branch.getSuccessor(1), block)) return true;
    if (post_dominators_.dominates(branch.getSuccessor(0), block)) return false;
    return std::nullopt;
  }

  /// Conditions of a branch may be joined by `and`.
  void add_fixed(BranchInst& branch) {
    if (const auto value = entering(branch)) add_fixed(branch.getOperandUse(0), *value);
  }

  void add_fixed(llvm::Use& condition, bool value) {
    using namespace llvm::PatternMatch;
    auto* joined = llvm::dyn_cast<llvm::Instruction>(condition.get());
    if (llvm::isa<llvm::Constant>(condition.get())) return;
    if (loop_.isLoopInvariant(condition.get())) {
      fixed_.push_back({&condition, value});
      return;
    }
    const bool joins = value ? match(joined, m_LogicalAnd()) : match(joined, m_LogicalOr());
    if (!joins) return;
    const bool selects = llvm::isa<llvm::SelectInst>(joined);
    add_fixed(joined->getOperandUse(0), value);
    add_fixed(joined->getOperandUse(selects && !value ? 2 : 1), value);
  }

  /// The value that a comparison should have in the middle part. Few iterations are below a
  /// constant or have a certain index; else the use tells.
  bool wanted(const ICmpInst& comparison, llvm::CmpInst::Predicate predicate,
              const Value& bound) const {
    using namespace llvm::PatternMatch;
    if (comparison.isEquality()) return predicate == llvm::CmpInst::ICMP_NE;
    if (llvm::isa<llvm::Constant>(bound))
      return ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate);
    for (const llvm::User* user : comparison.users()) {
      if (auto* branch = llvm::dyn_cast<BranchInst>(user)) return entering(*branch).value_or(true);
      if (match(user, m_LogicalAnd())) return true;
      if (match(user, m_LogicalOr())) return false;
    }
    return true;
  }

  /// A signed order that implies the predicate for an index that increases from `start`.
  llvm::CmpInst::Predicate ordered(llvm::CmpInst::Predicate predicate, const llvm::SCEV* start,
                                   const llvm::SCEV* bound) const {
    using llvm::CmpInst;
    if (predicate == CmpInst::ICMP_NE)
      return evolution_.isKnownPredicate(CmpInst::ICMP_SGE, start, bound) ? CmpInst::ICMP_SGT
                                                                          : CmpInst::ICMP_SLT;
    if (CmpInst::isUnsigned(predicate) && evolution_.isKnownNonNegative(start) &&
        evolution_.isKnownNonNegative(bound))
      return CmpInst::getSignedPredicate(predicate);
    return predicate;
  }

  void add_range(ICmpInst& comparison) {
    using llvm::CmpInst;
    Value* index = comparison.getOperand(0);
    Value* bound = comparison.getOperand(1);
    CmpInst::Predicate predicate = comparison.getPredicate();
    if (!index->getType()->isIntegerTy(64)) return;
    if (loop_.isLoopInvariant(index)) {
      std::swap(index, bound);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    if (!loop_.isLoopInvariant(bound)) return;
    const auto* sum = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(index));
    if (!sum || sum->getLoop() != &loop_ || !sum->isAffine() ||
        !sum->getStepRecurrence(evolution_)->isOne() || !sum->hasNoSignedWrap())
      return;
    const bool value = wanted(comparison, predicate, *bound);
    if (!value) predicate = CmpInst::getInversePredicate(predicate);
    predicate = ordered(predicate, sum->getStart(), evolution_.getSCEV(bound));
    if (!CmpInst::isSigned(predicate)) return;
    ranges_.push_back({&comparison, predicate, sum->getStart(), bound, value});
  }

  bool split(const llvm::LoopStructure& structure);

  llvm::Loop& loop_;
  llvm::LoopInfo& loops_;
  llvm::DominatorTree& dominators_;
  llvm::PostDominatorTree& post_dominators_;
  llvm::ScalarEvolution& evolution_;
  llvm::SmallVector<RangeCheck, 8> ranges_;
  llvm::SmallVector<FixedCheck, 4> fixed_;
};

/// The number of iterations before the first one in which the index is at least the bound, or with
/// `above` above it. Values that are computed for some iterations only may be poison before the
/// loop.
Value* iterations_until(llvm::IRBuilder<>& b, Value* start, Value* bound, bool above) {
  start = b.CreateFreeze(start);
  bound = b.CreateFreeze(bound);
  Value* number = b.CreateSub(bound, start);
  if (above) number = b.CreateBinaryIntrinsic(llvm::Intrinsic::uadd_sat, number, b.getInt64(1));
  Value* none = above ? b.CreateICmpSGT(start, bound) : b.CreateICmpSGE(start, bound);
  return b.CreateSelect(none, b.getInt64(0), number);
}

bool CheckedLoop::split(const llvm::LoopStructure& structure) {
  using llvm::CmpInst;
  llvm::Instruction* before = loop_.getLoopPreheader()->getTerminator();
  llvm::SCEVExpander expander(evolution_, before->getModule()->getDataLayout(), "start");
  for (const RangeCheck& check : ranges_)
    if (!expander.isSafeToExpandAt(check.start, before)) return false;
  llvm::IRBuilder<> b(before);
  Value* const first = structure.IndVarStart;
  Value* const count = b.CreateSub(structure.LoopExitAt, first);
  Value* low = nullptr;
  Value* high = count;
  for (const RangeCheck& check : ranges_) {
    Value* start = expander.expandCodeFor(check.start, b.getInt64Ty(), before->getIterator());
    const bool above = check.predicate == CmpInst::ICMP_SGT || check.predicate == CmpInst::ICMP_SLE;
    Value* number = iterations_until(b, start, check.bound, above);
    if (ICmpInst::isGT(check.predicate) || ICmpInst::isGE(check.predicate))
      low = low ? b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, low, number) : number;
    else
      high = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, high, number);
  }
  for (const FixedCheck& check : fixed_) {
    Value* condition = b.CreateFreeze(check.use->get());
    if (!check.value) condition = b.CreateNot(condition);
    high = b.CreateSelect(condition, high, b.getInt64(0));
  }
  llvm::LoopConstrainer::SubRanges middle;
  if (low) {
    low = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, low, count);
    middle.LowLimit = evolution_.getSCEV(b.CreateAdd(first, low));
  }
  middle.HighLimit = evolution_.getSCEV(b.CreateAdd(first, high));
  llvm::MDNode* const id = loop_.getLoopID();
  llvm::SmallVector<llvm::Loop*, 2> others;
  auto add_loop = [&](llvm::Loop* other, bool) { others.push_back(other); };
  if (!llvm::LoopConstrainer(loop_, loops_, add_loop, structure, evolution_, dominators_,
                             b.getInt64Ty(), middle)
           .run())
    return false;
  for (const RangeCheck& check : ranges_)
    check.comparison->replaceAllUsesWith(b.getInt1(check.value));
  for (const FixedCheck& check : fixed_) check.use->set(b.getInt1(check.value));
  // The other parts would not be vectorised. They can be long where a condition is false.
  for (llvm::Loop* other : others) other->setLoopID(id);
  return true;
}

/// Three loops take three times as long to compile.
bool is_short(const llvm::Loop& loop) {
  constexpr size_t kMostInstructions = 300;
  size_t count = 0;
  for (const BasicBlock* block : loop.blocks()) count += block->size();
  return count <= kMostInstructions;
}

}  // namespace

llvm::PreservedAnalyses SplitAtChecks::run(llvm::Function& f,
                                           llvm::FunctionAnalysisManager& analyses) {
  auto& loops = analyses.getResult<llvm::LoopAnalysis>(f);
  auto& dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(f);
  auto& evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
  llvm::SmallVector<llvm::Loop*, 4> branching;
  for (llvm::Loop* loop : loops.getLoopsInPreorder())
    if (loop->isInnermost() && loop->getNumBlocks() > 1 && is_short(*loop))
      branching.push_back(loop);
  bool changed = false;
  for (llvm::Loop* loop : branching) {
    llvm::PostDominatorTree post_dominators(f);
    changed |= CheckedLoop(*loop, loops, dominators, post_dominators, evolution).split();
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace hither::compiler
