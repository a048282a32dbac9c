#include "compiler/cpu/inner_groups.h"

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/module/intrinsics.h"

namespace hither::compiler {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr int kMostDepth = 12;

bool is_clamp(const Instruction& i) {
  auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return intrinsic && (intrinsic->getIntrinsicID() == llvm::Intrinsic::smax ||
                       intrinsic->getIntrinsicID() == llvm::Intrinsic::smin);
}

/// Python's `i + n if i < 0 else i`. LLVM also writes the condition as `i == 0` if the index is i -
/// 1.
bool is_sign_test(const Instruction& i) {
  auto* test = llvm::dyn_cast<llvm::ICmpInst>(&i);
  if (!test || !llvm::isa<llvm::ConstantInt>(test->getOperand(1))) return false;
  const auto predicate = test->getPredicate();
  return (predicate == llvm::CmpInst::ICMP_SLT || predicate == llvm::CmpInst::ICMP_ULT ||
          predicate == llvm::CmpInst::ICMP_EQ) &&
         llvm::all_of(test->users(), [&](const llvm::User* user) {
           auto* select = llvm::dyn_cast<llvm::SelectInst>(user);
           return select && select->getCondition() == test && select->getType()->isIntegerTy(64);
         });
}

const llvm::CallInst* local_id(const Value* v) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(v);
  return call && call->getCalledFunction() &&
                 intrinsic_of(*call->getCalledFunction()) == Intrinsic::kLocalId
             ? call
             : nullptr;
}

/// A phi whose value is known when the region begins.
bool is_live_in(const Region& region, const llvm::PHINode* phi) {
  return phi && phi->getParent() == region.entry &&
         llvm::none_of(phi->blocks(),
                       [&](const auto* from) { return region.is_inner(from, region.entry); });
}

}  // namespace

InnerGroups::InnerGroups(const GroupFrame& frame, const Region& region)
    : frame_(frame),
      region_(region),
      b_(frame.group.function->getContext(),
         llvm::InstSimplifyFolder(frame.group.function->getParent()->getDataLayout())) {}

Value* InnerGroups::write_test(llvm::BasicBlock* head) {
  if (!is_worth_it()) return nullptr;
  b_.SetInsertPoint(head);
  for (const llvm::BasicBlock* block : region_.blocks)
    for (const Instruction& i : *block) {
      if (frame_.crossing.is_uniform(i)) continue;
      if (is_clamp(i)) add_clamp(llvm::cast<llvm::IntrinsicInst>(i));
      if (is_sign_test(i)) add_sign_test(llvm::cast<llvm::ICmpInst>(i));
    }
  return all_ ? b_.CreateFreeze(all_) : nullptr;
}

/// The region's code is duplicated, so it must be small. A tight loop would need the test in each
/// iteration.
bool InnerGroups::is_worth_it() const {
  constexpr size_t kMostInstructions = 400;
  if (region_.is_tight_loop()) return false;
  size_t instructions = 0, tests = 0;
  for (const llvm::BasicBlock* block : region_.blocks) {
    if (frame_.exits.terminator(block)) return false;
    instructions += block->size();
    for (const Instruction& i : *block)
      if ((is_clamp(i) || is_sign_test(i)) && !frame_.crossing.is_uniform(i)) ++tests;
  }
  return tests > 0 && instructions <= kMostInstructions;
}

/// Returns false for a check that never holds.
bool InnerGroups::add_check(Value* check) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(check)) return constant->isOne();
  all_ = all_ ? b_.CreateAnd(all_, check) : check;
  return true;
}

void InnerGroups::add_clamp(const llvm::IntrinsicInst& clamp) {
  const bool is_max = clamp.getIntrinsicID() == llvm::Intrinsic::smax;
  const int limit = frame_.crossing.is_uniform(*clamp.getArgOperand(0)) ? 0 : 1;
  Value* index = clamp.getArgOperand(static_cast<unsigned>(1 - limit));
  const Bounds range = bounds(index),
               edge = bounds(clamp.getArgOperand(static_cast<unsigned>(limit)));
  if (!range || !edge) return;
  if (add_check(is_max ? b_.CreateICmpSGE(range.low, edge.high)
                       : b_.CreateICmpSLE(range.high, edge.low)))
    outcomes_[&clamp] = index;
}

void InnerGroups::add_sign_test(const llvm::ICmpInst& test) {
  const Bounds range = bounds(test.getOperand(0));
  auto* limit = llvm::cast<llvm::ConstantInt>(test.getOperand(1));
  if (!range || limit->isNegative()) return;
  if (add_check(test.isEquality() ? b_.CreateICmpSGT(range.low, limit)
                                  : b_.CreateICmpSGE(range.low, limit)))
    outcomes_[&test] = b_.getFalse();
}

InnerGroups::Bounds InnerGroups::bounds(Value* v, int depth) {
  auto* i = llvm::dyn_cast<Instruction>(v);
  if (!v->getType()->isIntegerTy() || depth > kMostDepth) return {};
  if (!i) return {v, v};
  if (frame_.crossing.is_uniform(*i)) {
    Value* known = in_head(i, depth);
    return {known, known};
  }
  if (Value* outcome = outcomes_.lookup(i)) return bounds(outcome, depth + 1);
  if (const llvm::CallInst* call = local_id(i)) {
    const auto d = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
    return {b_.getInt64(0), b_.getInt64(static_cast<uint64_t>(frame_.group.local_size[d] - 1))};
  }
  if (i->getOpcode() == Instruction::Mul && local_id(i->getOperand(0)) &&
      i->getOperand(1) == frame_.group.item_distance) {
    const auto last = static_cast<uint64_t>(frame_.group.items() - 1);
    return {b_.getInt64(0),
            b_.CreateMul(b_.getInt64(last), frame_.group.item_distance, "", true, true)};
  }
  if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(i)) return bounds_of_sum(*op, depth);
  if (is_clamp(*i)) return bounds_of_clamp(llvm::cast<llvm::IntrinsicInst>(*i), depth);
  return {};
}

/// With saturation, a sum that overflows stays out of range.
InnerGroups::Bounds InnerGroups::bounds_of_sum(const llvm::BinaryOperator& sum, int depth) {
  auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&sum);
  const bool adds = sum.getOpcode() == Instruction::Add || (disjoint && disjoint->isDisjoint());
  if (!adds && sum.getOpcode() != Instruction::Sub) return {};
  if (!disjoint && !sum.hasNoSignedWrap()) return {};
  const Bounds x = bounds(sum.getOperand(0), depth + 1);
  const Bounds y = x ? bounds(sum.getOperand(1), depth + 1) : x;
  if (!y) return {};
  using llvm::Intrinsic::sadd_sat, llvm::Intrinsic::ssub_sat;
  if (adds)
    return {b_.CreateBinaryIntrinsic(sadd_sat, x.low, y.low),
            b_.CreateBinaryIntrinsic(sadd_sat, x.high, y.high)};
  return {b_.CreateBinaryIntrinsic(ssub_sat, x.low, y.high),
          b_.CreateBinaryIntrinsic(ssub_sat, x.high, y.low)};
}

InnerGroups::Bounds InnerGroups::bounds_of_clamp(const llvm::IntrinsicInst& clamp, int depth) {
  const Bounds x = bounds(clamp.getArgOperand(0), depth + 1);
  const Bounds y = x ? bounds(clamp.getArgOperand(1), depth + 1) : x;
  if (!y) return {};
  return {b_.CreateBinaryIntrinsic(clamp.getIntrinsicID(), x.low, y.low),
          b_.CreateBinaryIntrinsic(clamp.getIntrinsicID(), x.high, y.high)};
}

/// A uniform value in the head, or null if the head cannot compute it.
Value* InnerGroups::in_head(Value* v, int depth) {
  auto* i = llvm::dyn_cast<Instruction>(v);
  if (!i) return v;
  if (Value* known = in_head_.lookup(i)) return known;
  if (i->getType()->isIntegerTy(1) || depth > kMostDepth) return nullptr;
  const bool is_local = frame_.crossing.is_local(region_, *i);
  auto* phi = llvm::dyn_cast<llvm::PHINode>(i);
  const Variable kept = !is_local                  ? frame_.values.lookup(i)
                        : is_live_in(region_, phi) ? frame_.phis.lookup(phi)
                                                   : Variable();
  if (kept.memory) return in_head_[i] = b_.CreateLoad(kept.kept, kept.memory);
  if (!is_local || phi || i->mayReadFromMemory() || !llvm::isSafeToSpeculativelyExecute(i))
    return nullptr;
  llvm::SmallVector<Value*, 4> operands;
  for (Value* operand : i->operands()) {
    Value* known = in_head(operand, depth + 1);
    if (!known) return nullptr;
    operands.push_back(known);
  }
  Instruction* copy = i->clone();
  for (unsigned k = 0; k < operands.size(); ++k) copy->setOperand(k, operands[k]);
  copy->dropPoisonGeneratingAnnotations();
  return in_head_[i] = b_.Insert(copy);
}

}  // namespace hither::compiler
