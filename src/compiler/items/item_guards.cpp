#include "compiler/items/item_guards.h"

#include <optional>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include "compiler/module/intrinsics.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::BranchInst;
using llvm::CmpInst;
using llvm::Instruction;
using llvm::Value;
using namespace llvm::PatternMatch;

constexpr int kMostSteps = 16;

/// Whether others can see that an item runs the instruction. Its private memory is its own.
bool is_visible(const Instruction& i) {
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
    return !store->isSimple() ||
           !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand()));
  return i.mayHaveSideEffects() && !i.isLifetimeStartOrEnd();
}

bool is_visible(const BasicBlock& block) {
  return llvm::any_of(block, [&](const Instruction& i) { return is_visible(i); });
}

/// Whether an item that branches to the block returns without any effect.
bool only_returns(const BasicBlock* block) {
  for (int step = 0; block && step < kMostSteps; ++step) {
    if (is_visible(*block)) return false;
    if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) return true;
    block = block->getSingleSuccessor();
  }
  return false;
}

/// Whether a value consists of arguments and constants, by operations that every item may compute.
bool is_uniform(const Value* value, int depth = 0) {
  if (llvm::isa<llvm::Constant, llvm::Argument>(value)) return true;
  auto* i = llvm::dyn_cast<Instruction>(value);
  if (!i || depth == kMostSteps || !llvm::isSafeToSpeculativelyExecute(i)) return false;
  if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, CmpInst,
                 llvm::MinMaxIntrinsic>(i))
    return false;
  return llvm::all_of(i->operands(), [&](const llvm::Use& use) {
    return llvm::isa<llvm::Function>(use) || is_uniform(use, depth + 1);
  });
}

/// The dimension of a global id.
std::optional<int> dimension_of(const Value* value) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  if (!call || !call->getCalledFunction() ||
      intrinsic_of(*call->getCalledFunction()) != Intrinsic::kGlobalId)
    return std::nullopt;
  auto* dim = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
  if (!dim || dim->getZExtValue() > 2) return std::nullopt;
  return static_cast<int>(dim->getZExtValue());
}

class Guards {
 public:
  explicit Guards(llvm::Function& kernel) : kernel_(kernel) {}

  /// The conditions of a branch that an item has to pass with `value`.
  void take(llvm::Use& condition, bool value) {
    auto* joined = llvm::dyn_cast<Instruction>(condition.get());
    if (!joined) return;
    if (value ? match(joined, m_LogicalAnd()) : match(joined, m_LogicalOr())) {
      const bool selects = llvm::isa<llvm::SelectInst>(joined);
      take(joined->getOperandUse(0), value);
      take(joined->getOperandUse(selects && !value ? 2 : 1), value);
    } else if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(joined)) {
      const auto guard = guard_of(*comparison, value);
      if (!guard) return;
      found.push_back(*guard);
      condition.set(llvm::ConstantInt::getBool(joined->getContext(), value));
    }
  }

  llvm::SmallVector<ItemGuard, 4> found;

 private:
  std::optional<ItemGuard> guard_of(const llvm::ICmpInst& comparison, bool value) {
    Value* index = comparison.getOperand(0);
    Value* base = comparison.getOperand(1);
    CmpInst::Predicate predicate = comparison.getPredicate();
    if (!index->getType()->isIntegerTy(64)) return std::nullopt;
    if (is_uniform(index)) {
      std::swap(index, base);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    if (!value) predicate = CmpInst::getInversePredicate(predicate);
    if (!is_uniform(base)) return std::nullopt;
    Value* offset = nullptr;
    if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(index);
        sum && match(sum, m_NSWAdd(m_Value(), m_Value()))) {
      offset = sum->getOperand(is_uniform(sum->getOperand(0)) ? 0 : 1);
      index = sum->getOperand(is_uniform(sum->getOperand(0)) ? 1 : 0);
      if (!is_uniform(offset)) return std::nullopt;
    }
    const auto dim = dimension_of(index);
    if (!dim) return std::nullopt;
    if (predicate == CmpInst::ICMP_NE && !offset && match(base, m_ZeroInt()))
      predicate = CmpInst::ICMP_SGT;  // ids are not negative
    if (CmpInst::isUnsigned(predicate) && !offset &&
        llvm::isKnownNonNegative(base, kernel_.getParent()->getDataLayout()))
      predicate = CmpInst::getSignedPredicate(predicate);
    if (!CmpInst::isSigned(predicate)) return std::nullopt;
    const bool is_lower = llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate);
    const bool plus_one = predicate == CmpInst::ICMP_SGT || predicate == CmpInst::ICMP_SLE;
    return ItemGuard{*dim, is_lower, bound(base, offset, plus_one)};
  }

  /// A function for `base - offset` (null: 0), plus 1 with `plus_one`. The result saturates.
  llvm::Function* bound(Value* base, Value* offset, bool plus_one) {
    llvm::LLVMContext& context = kernel_.getContext();
    auto* type = llvm::FunctionType::get(llvm::Type::getInt64Ty(context),
                                         kernel_.getFunctionType()->params(), false);
    auto* f =
        llvm::Function::Create(type, llvm::Function::InternalLinkage, "guard", kernel_.getParent());
    llvm::IRBuilder<> b(BasicBlock::Create(context, "", f));
    // Items that another guard stops need not compute the values without overflow.
    Value* result = b.CreateFreeze(copy(base, b));
    if (offset)
      result = b.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_sat, result,
                                       b.CreateFreeze(copy(offset, b)));
    if (plus_one)
      result = b.CreateBinaryIntrinsic(llvm::Intrinsic::sadd_sat, result, b.getInt64(1));
    b.CreateRet(result);
    return f;
  }

  /// A copy of a uniform value in the function of the builder.
  static Value* copy(Value* value, llvm::IRBuilder<>& b) {
    if (auto* argument = llvm::dyn_cast<llvm::Argument>(value))
      return b.GetInsertBlock()->getParent()->getArg(argument->getArgNo());
    auto* original = llvm::dyn_cast<Instruction>(value);
    if (!original) return value;
    Instruction* made = original->clone();
    for (llvm::Use& use : made->operands()) use.set(copy(use, b));
    return b.Insert(made);
  }

  llvm::Function& kernel_;
};

}  // namespace

llvm::SmallVector<ItemGuard, 4> take_guards(llvm::Function& kernel) {
  Guards guards(kernel);
  BasicBlock* block = &kernel.getEntryBlock();
  while (block && !is_visible(*block)) {
    auto* branch = llvm::dyn_cast<BranchInst>(block->getTerminator());
    if (!branch) break;
    BasicBlock* next = branch->getSuccessor(0);
    if (branch->isConditional()) {
      const bool value = only_returns(branch->getSuccessor(1));
      if (!value && !only_returns(next)) break;
      next = branch->getSuccessor(value ? 0 : 1);
      guards.take(branch->getOperandUse(0), value);
    }
    block = next->getSinglePredecessor() ? next : nullptr;
  }
  return guards.found;
}

}  // namespace hither::compiler
