#include "compiler/device/narrow_integers.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/DemandedBits.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace hither::compiler {
namespace {

constexpr unsigned kWide = 64, kNarrow = 32;

bool is_wide(const llvm::Value& value) { return value.getType()->isIntegerTy(kWide); }

/// The number as 32 bits. A conversion stands before `user`.
llvm::Value* shortened(llvm::Value& value, llvm::IRBuilder<>& before_user) {
  return before_user.CreateTrunc(&value, before_user.getInt32Ty());
}

/// What is known of the high halves of numbers.
class HighHalves {
 public:
  HighHalves(llvm::Function& f, llvm::FunctionAnalysisManager& analyses)
      : layout_(f.getParent()->getDataLayout()),
        assumptions_(analyses.getResult<llvm::AssumptionAnalysis>(f)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(f)) {}

  /// Whether they are 0 where `at` uses the value.
  bool are_zero(const llvm::Value& value, const llvm::Instruction& at) const {
    return zeros(value, at) >= kWide - kNarrow;
  }
  /// Whether the value as 32 bits is not negative, too.
  bool are_positive(const llvm::Value& value, const llvm::Instruction& at) const {
    return zeros(value, at) > kWide - kNarrow;
  }

 private:
  unsigned zeros(const llvm::Value& value, const llvm::Instruction& at) const {
    return llvm::computeKnownBits(&value, layout_, 0, &assumptions_, &at, &dominators_)
        .countMinLeadingZeros();
  }

  const llvm::DataLayout& layout_;
  llvm::AssumptionCache& assumptions_;
  llvm::DominatorTree& dominators_;
};

/// Conversions and comparisons of numbers that are known to fit.
class KnownNumbers {
 public:
  KnownNumbers(llvm::Function& f, const HighHalves& high) : f_(f), high_(high) {}

  bool shorten() {
    bool changed = false;
    for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f_))) {
      if (i.getNumOperands() == 0 || !is_wide(*i.getOperand(0))) continue;
      llvm::Value* instead = nullptr;
      if (llvm::isa<llvm::UIToFPInst, llvm::SIToFPInst>(i)) instead = conversion(i);
      if (auto* compares = llvm::dyn_cast<llvm::ICmpInst>(&i)) instead = comparison(*compares);
      if (!instead) continue;
      instead->takeName(&i);
      i.replaceAllUsesWith(instead);
      i.eraseFromParent();
      changed = true;
    }
    return changed;
  }

 private:
  llvm::Value* conversion(llvm::Instruction& i) const {
    llvm::Value& number = *i.getOperand(0);
    if (!high_.are_zero(number, i)) return nullptr;
    llvm::IRBuilder<> b(&i);
    llvm::Value* low = shortened(number, b);
    // Of the two, the signed one is never the longer one.
    return high_.are_positive(number, i) ? b.CreateSIToFP(low, i.getType())
                                         : b.CreateUIToFP(low, i.getType());
  }

  llvm::Value* comparison(llvm::ICmpInst& i) const {
    if (!high_.are_zero(*i.getOperand(0), i) || !high_.are_zero(*i.getOperand(1), i))
      return nullptr;
    llvm::IRBuilder<> b(&i);
    return b.CreateICmp(i.getUnsignedPredicate(), shortened(*i.getOperand(0), b),
                        shortened(*i.getOperand(1), b));
  }

  llvm::Function& f_;
  const HighHalves& high_;
};

/// Chains of operations of which only the low half is used, or whose high half is 0.
class LowHalves {
 public:
  LowHalves(llvm::Function& f, llvm::DemandedBits& used, const HighHalves& high)
      : f_(f), used_(used), high_(high) {}

  bool shorten() {
    llvm::ReversePostOrderTraversal<llvm::Function*> blocks(&f_);
    for (llvm::BasicBlock* block : blocks)
      for (llvm::Instruction& i : *block)
        if (can_shorten(i)) chosen_.insert({&i, nullptr});
    if (chosen_.empty()) return false;
    for (auto& [wide, narrow] : chosen_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(wide))
        narrow = llvm::PHINode::Create(narrow_type(), phi->getNumIncomingValues(), "",
                                       phi->getIterator());
    for (auto& [wide, narrow] : chosen_)
      if (!narrow) narrow = operation(*wide);
    for (auto& [wide, narrow] : chosen_)
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(wide))
        add_incoming(*phi, *llvm::cast<llvm::PHINode>(narrow));
    for (auto& [wide, narrow] : chosen_) drop_promises(*wide);
    for (auto& [wide, narrow] : chosen_) replace(*wide, *narrow);
    return true;
  }

 private:
  llvm::Type* narrow_type() const { return llvm::Type::getInt32Ty(f_.getContext()); }

  bool can_shorten(llvm::Instruction& i) {
    if (!is_wide(i) || used_.isInstructionDead(&i)) return false;
    if (used_.getDemandedBits(&i).getActiveBits() > kNarrow && !high_.are_zero(i, i)) return false;
    switch (i.getOpcode()) {
      case llvm::Instruction::PHI:
      case llvm::Instruction::Select:
      case llvm::Instruction::Add:
      case llvm::Instruction::Sub:
      case llvm::Instruction::Mul:
      case llvm::Instruction::And:
      case llvm::Instruction::Or:
      case llvm::Instruction::Xor:
        return true;
      case llvm::Instruction::Shl:
        return is_short_distance(*i.getOperand(1));
      case llvm::Instruction::LShr:
        return is_short_distance(*i.getOperand(1)) && high_.are_zero(*i.getOperand(0), i);
      default:
        return false;
    }
  }

  static bool is_short_distance(const llvm::Value& by) {
    auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&by);
    return constant && constant->getValue().ult(kNarrow);
  }

  /// The low half of an operand of `user`.
  llvm::Value* low(llvm::Value* value, llvm::Instruction& user) const {
    if (auto* i = llvm::dyn_cast<llvm::Instruction>(value))
      if (const auto found = chosen_.find(i); found != chosen_.end() && found->second)
        return found->second;
    llvm::IRBuilder<> b(&user);
    return shortened(*value, b);
  }

  llvm::Value* operation(llvm::Instruction& wide) const {
    llvm::IRBuilder<> b(&wide);
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&wide))
      return b.CreateSelect(select->getCondition(), low(select->getTrueValue(), wide),
                            low(select->getFalseValue(), wide));
    const auto code = llvm::cast<llvm::BinaryOperator>(wide).getOpcode();
    return b.CreateBinOp(code, low(wide.getOperand(0), wide), low(wide.getOperand(1), wide));
  }

  void add_incoming(llvm::PHINode& wide, llvm::PHINode& narrow) const {
    for (unsigned n = 0; n < wide.getNumIncomingValues(); ++n) {
      llvm::BasicBlock* from = wide.getIncomingBlock(n);
      // A block that comes several times has to bring the same value each time.
      const int before = narrow.getBasicBlockIndex(from);
      narrow.addIncoming(before >= 0 ? narrow.getIncomingValue(static_cast<unsigned>(before))
                                     : low(wide.getIncomingValue(n), *from->getTerminator()),
                         from);
    }
  }

  /// The unused bits of the number change. Instructions that compute with the number may not
  /// promise anything about those bits, such as that a sum does not overflow.
  void drop_promises(llvm::Instruction& changed) {
    llvm::SmallVector<llvm::Instruction*> open{&changed};
    while (!open.empty())
      for (llvm::User* user : open.pop_back_val()->users()) {
        auto* i = llvm::cast<llvm::Instruction>(user);
        if (!i->getType()->isIntOrIntVectorTy() || !seen_.insert(i).second) continue;
        i->dropPoisonGeneratingAnnotations();
        if (!used_.getDemandedBits(i).isAllOnes()) open.push_back(i);
      }
  }

  static void replace(llvm::Instruction& wide, llvm::Value& narrow) {
    llvm::BasicBlock& block = *wide.getParent();
    llvm::IRBuilder<> b(
        &block, llvm::isa<llvm::PHINode>(wide) ? block.getFirstInsertionPt() : wide.getIterator());
    wide.replaceAllUsesWith(b.CreateZExt(&narrow, wide.getType()));
    wide.eraseFromParent();
  }

  llvm::Function& f_;
  llvm::DemandedBits& used_;
  const HighHalves& high_;
  llvm::MapVector<llvm::Instruction*, llvm::Value*> chosen_;
  llvm::SmallPtrSet<llvm::Instruction*, 16> seen_;
};

}  // namespace

llvm::PreservedAnalyses NarrowIntegers::run(llvm::Function& f,
                                            llvm::FunctionAnalysisManager& analyses) {
  const HighHalves high(f, analyses);
  bool changed = KnownNumbers(f, high).shorten();
  llvm::PreservedAnalyses blocks;
  blocks.preserveSet<llvm::CFGAnalyses>();
  blocks.preserve<llvm::AssumptionAnalysis>();
  if (changed) analyses.invalidate(f, blocks);
  changed |= LowHalves(f, analyses.getResult<llvm::DemandedBitsAnalysis>(f), high).shorten();
  return changed ? blocks : llvm::PreservedAnalyses::all();
}

}  // namespace hither::compiler
