#include "compiler/cpu/narrow_comparisons.h"

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace hither::compiler {
namespace {

using llvm::ConstantRange;
using llvm::Value;

/// Value ranges of arithmetic on constants and extended integers. Empty for other values.
class Ranges {
 public:
  std::optional<ConstantRange> of(Value* v, int depth = 0) {
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(v))
      return ConstantRange(constant->getValue());
    if (auto found = known_.find(v); found != known_.end()) return found->second;
    constexpr int kMostDepth = 64;
    if (depth > kMostDepth) return std::nullopt;
    auto range = computed(v, depth);
    known_.try_emplace(v, range);
    return range;
  }

 private:
  std::optional<ConstantRange> computed(Value* v, int depth) {
    const unsigned bits = v->getType()->getIntegerBitWidth();
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(v)) {
      if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(cast)) return std::nullopt;
      const auto all = ConstantRange::getFull(cast->getSrcTy()->getIntegerBitWidth());
      return llvm::isa<llvm::SExtInst>(cast) ? all.signExtend(bits) : all.zeroExtend(bits);
    }
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(v);
    if (!operation || !keeps_low_bits(operation->getOpcode())) return std::nullopt;
    const auto a = of(operation->getOperand(0), depth + 1);
    const auto b = a ? of(operation->getOperand(1), depth + 1) : std::nullopt;
    return b ? std::optional(a->binaryOp(operation->getOpcode(), *b)) : std::nullopt;
  }

  /// Operations in which the low bits of the result depend only on low bits of the operands.
  static bool keeps_low_bits(llvm::Instruction::BinaryOps operation) {
    using llvm::Instruction;
    return operation == Instruction::Add || operation == Instruction::Sub ||
           operation == Instruction::Mul || operation == Instruction::And ||
           operation == Instruction::Or || operation == Instruction::Xor;
  }

  llvm::DenseMap<Value*, std::optional<ConstantRange>> known_;
};

/// The operands of a comparison, or the condition and the cases of a switch.
llvm::SmallVector<llvm::Use*, 8> compared(llvm::Instruction& i) {
  llvm::SmallVector<llvm::Use*, 8> values;
  if (llvm::isa<llvm::ICmpInst, llvm::SwitchInst>(i))
    for (llvm::Use& operand : i.operands())
      if (operand->getType()->isIntegerTy()) values.push_back(&operand);
  return values;
}

/// Bits of the smallest integer type that holds all values as signed numbers. The full width if
/// there is none.
unsigned bits_needed(llvm::ArrayRef<llvm::Use*> values, Ranges& ranges) {
  const unsigned bits = values[0]->get()->getType()->getIntegerBitWidth();
  unsigned needed = 8;
  for (const llvm::Use* value : values) {
    const auto range = ranges.of(value->get());
    if (!range) return bits;
    needed = std::max(needed, range->getMinSignedBits());
  }
  return std::min<unsigned>(bits, static_cast<unsigned>(llvm::PowerOf2Ceil(needed)));
}

}  // namespace

llvm::PreservedAnalyses NarrowComparisons::run(llvm::Function& f, llvm::FunctionAnalysisManager&) {
  // One truncation for all comparisons of a value. Other uses remain wide.
  llvm::DenseMap<std::pair<Value*, unsigned>, Value*> narrowed;
  auto narrow = [&](Value* v, unsigned bits) -> Value* {
    auto* type = llvm::IntegerType::get(f.getContext(), bits);
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(v))
      return llvm::ConstantInt::get(type, constant->getValue().trunc(bits));
    Value*& known = narrowed[{v, bits}];
    if (!known) {
      auto* made = llvm::cast<llvm::Instruction>(v);
      known = llvm::IRBuilder<>(made->getNextNode()).CreateTrunc(v, type);
    }
    return known;
  };
  Ranges ranges;
  for (llvm::Instruction& i : llvm::instructions(f)) {
    const auto values = compared(i);
    if (values.empty()) continue;
    const unsigned bits = bits_needed(values, ranges);
    if (bits == values[0]->get()->getType()->getIntegerBitWidth()) continue;
    for (llvm::Use* value : values) value->set(narrow(value->get(), bits));
  }
  return narrowed.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

}  // namespace hither::compiler
