#include "compiler/ptx/quotients.h"

#include <algorithm>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace hither::compiler {
namespace {

using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;
namespace id = llvm::Intrinsic;

// More operands would need more registers than the shorter code saves time.
constexpr size_t kMostTogether = 16;

bool is_root(const Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  return call && call->getIntrinsicID() == id::sqrt;
}

/// A quotient or a square root that has to be correctly rounded.
bool is_exact(const Instruction& i) {
  return i.getType()->isFloatTy() && (i.getOpcode() == Instruction::FDiv || is_root(i)) &&
         !i.hasApproxFunc() && !i.hasAllowReciprocal();
}

bool is_pure(const Instruction& i) {
  return !i.mayReadOrWriteMemory() && !i.isTerminator() && !llvm::isa<llvm::PHINode>(i) &&
         llvm::isSafeToSpeculativelyExecute(&i);
}

/// Exact operations of a block, and what depends on them up to the instruction `end`.
struct Group {
  llvm::SmallVector<Instruction*, kMostTogether> operations;
  llvm::SmallVector<Instruction*, 64> depending;  ///< in order, with the operations
  Instruction* end = nullptr;
};

Group group_from(Instruction& first) {
  Group group;
  llvm::SmallPtrSet<const Value*, 32> depending;
  for (Instruction* i = &first;; i = i->getNextNode()) {
    group.end = i;
    const bool exact = is_exact(*i);
    const bool depends =
        llvm::any_of(i->operands(), [&](const Value* v) { return depending.contains(v); });
    if (i->isTerminator() || (exact && group.operations.size() == kMostTogether) ||
        (depends && !is_pure(*i)))
      return group;
    if (!exact && !depends) continue;
    if (exact) group.operations.push_back(i);
    group.depending.push_back(i);
    depending.insert(i);
  }
}

/// Computes operations by the assembler's short sequences, and tests whether they are correct.
class ShortSequences {
 public:
  ShortSequences(llvm::BasicBlock& block, llvm::ArrayRef<Instruction*> operations)
      : b_(&block), operations_(operations.begin(), operations.end()) {}

  Value* of(Instruction& operation) {
    b_.SetInsertPoint(&operation);
    Value* x = operation.getOperand(0);
    return is_root(operation) ? root(operation) : quotient(x, operation.getOperand(1));
  }

  Value* are_correct() const { return all_; }

 private:
  llvm::Constant* number(double v) { return llvm::ConstantFP::get(b_.getFloatTy(), v); }

  Value* fma(Value* x, Value* y, Value* z) {
    return b_.CreateIntrinsic(id::fma, {b_.getFloatTy()}, {x, y, z});
  }

  void require(Value* condition) { all_ = all_ ? b_.CreateAnd(all_, condition) : condition; }

  bool divides(const Value& x) const {
    return llvm::any_of(x.users(), [&](const llvm::User* user) {
      return operations_.contains(user) && !is_root(*llvm::cast<Instruction>(user)) &&
             user->getOperand(1) == &x;
    });
  }

  // Whether an operation divides by the root, or by its product with its operand. The test of that
  // divisor fails where the root may be wrong, which is where its operand is tiny, infinite or nan.
  bool is_tested_as_divisor(const Instruction& root) const {
    const Value* x = root.getOperand(0);
    return divides(root) || llvm::any_of(root.users(), [&](const llvm::User* user) {
             const auto* product = llvm::dyn_cast<llvm::BinaryOperator>(user);
             return product && product->getOpcode() == Instruction::FMul && divides(*product) &&
                    (product->getOperand(0) == x || product->getOperand(1) == x);
           });
  }

  Value* root(const Instruction& operation) {
    Value* x = operation.getOperand(0);
    if (!is_tested_as_divisor(operation) && tested_roots_.insert(x).second) {
      require(b_.CreateFCmpOGE(x, number(0x1p-100)));
      require(b_.CreateFCmpOLE(x, number(0x1p127)));
    }
    Value* inverse = b_.CreateIntrinsic(id::nvvm_rsqrt_approx_ftz_f, {}, {x});
    Value* first = b_.CreateFMul(x, inverse);
    Value* left = fma(b_.CreateFNeg(first), first, x);
    return fma(left, b_.CreateFMul(inverse, number(0.5)), first);
  }

  // The quotient of such numbers, the divisor's reciprocal and all remainders are normal numbers.
  // A divisor that is a root is that of at least 2^-100.
  void test_operand(Value* x) {
    if (!tested_.insert(x).second) return;
    Value* size = b_.CreateUnaryIntrinsic(id::fabs, x);
    require(b_.CreateFCmpOGE(size, number(0x1p-50)));
    require(b_.CreateFCmpOLE(size, number(0x1p62)));
  }

  Value* quotient(Value* x, Value* y) {
    test_operand(x);
    test_operand(y);
    Value* near = b_.CreateIntrinsic(id::nvvm_rcp_approx_ftz_f, {}, {y});
    Value* minus = b_.CreateFNeg(y);
    Value* reciprocal = fma(near, fma(minus, near, number(1)), near);
    Value* first = b_.CreateFMul(x, reciprocal);
    return fma(reciprocal, fma(minus, first, x), first);
  }

  IRBuilder<> b_;
  const llvm::SmallPtrSet<const llvm::User*, kMostTogether> operations_;
  llvm::SmallPtrSet<const Value*, kMostTogether> tested_, tested_roots_;
  Value* all_ = nullptr;
};

/// Moves behind the group what depends on its operations without leading to another one. Returns
/// the others.
llvm::SmallVector<Instruction*, 64> only_between(const Group& group, Instruction& behind) {
  llvm::SmallPtrSet<const Value*, 32> kept;
  llvm::SmallVector<Instruction*, 64> all, later;
  for (Instruction* i : llvm::reverse(group.depending)) {
    const bool leads = is_exact(*i) || llvm::any_of(i->users(), [&](const llvm::User* user) {
                         return kept.contains(user);
                       });
    (leads ? all : later).push_back(i);
    if (leads) kept.insert(i);
  }
  for (Instruction* i : llvm::reverse(later)) i->moveBefore(&behind);
  std::reverse(all.begin(), all.end());
  return all;
}

/// Returns the block behind the group.
llvm::BasicBlock* test_together(const Group& group) {
  llvm::BasicBlock* block = group.end->getParent();
  llvm::BasicBlock* behind = block->splitBasicBlock(group.end);
  llvm::BasicBlock* rare =
      llvm::BasicBlock::Create(block->getContext(), "", block->getParent(), behind);
  const auto all = only_between(group, *group.end);
  llvm::ValueToValueMapTy copies;
  for (Instruction* i : all) {
    Instruction* copy = i->clone();
    copy->insertInto(rare, rare->end());
    llvm::RemapInstruction(copy, copies, llvm::RF_IgnoreMissingLocals);
    copies[i] = copy;
  }
  llvm::BranchInst::Create(behind, rare);
  IRBuilder<> b(behind, behind->begin());
  const llvm::SmallPtrSet<const Value*, 32> inside(all.begin(), all.end());
  ShortSequences sequences(*block, group.operations);
  for (Instruction* i : all) {
    Value* shorter = is_exact(*i) ? sequences.of(*i) : i;
    auto is_outside = [&](const llvm::Use& use) { return !inside.contains(use.getUser()); };
    if (llvm::any_of(i->uses(), is_outside)) {
      llvm::PHINode* either = b.CreatePHI(i->getType(), 2);
      i->replaceUsesWithIf(either, is_outside);
      either->addIncoming(shorter, block);
      either->addIncoming(copies[i], rare);
    }
    if (shorter == i) continue;
    i->replaceAllUsesWith(shorter);
    i->eraseFromParent();
  }
  llvm::ReplaceInstWithInst(block->getTerminator(),
                            llvm::BranchInst::Create(behind, rare, sequences.are_correct()));
  return behind;
}

/// Returns the block behind the first group of a block; null if it has none.
llvm::BasicBlock* test_first_group(llvm::BasicBlock& block) {
  for (Instruction* i = &block.front(); i;) {
    if (!is_exact(*i)) {
      i = i->getNextNode();
      continue;
    }
    const Group group = group_from(*i);
    if (group.operations.size() > 1) return test_together(group);
    i = group.end;
  }
  return nullptr;
}

}  // namespace

void test_quotients_together(llvm::Module& module) {
  for (llvm::Function& f : module) {
    llvm::SmallVector<llvm::BasicBlock*, 32> blocks;
    for (llvm::BasicBlock& block : f) blocks.push_back(&block);
    for (llvm::BasicBlock* block : blocks)
      while (block) block = test_first_group(*block);
  }
}

}  // namespace hither::compiler
