#include "compiler/spirv/sums.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include "compiler/spirv/hidden_constants.h"
#include "compiler/spirv/opencl_builtin.h"

namespace hither::compiler {
namespace {

using llvm::BinaryOperator;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Loop;
using llvm::Value;
// Ordered by insertion and not by address, so that the code is the same in every run.
using Values = llvm::SmallSetVector<Value*, 16>;

bool is_float(const Value& v) { return v.getType()->isFloatTy() || v.getType()->isDoubleTy(); }

bool is_product(const Value& v) {
  const auto* i = llvm::dyn_cast<BinaryOperator>(&v);
  return i && i->getOpcode() == Instruction::FMul;
}

bool is_sum(const Value& v) {
  const auto* i = llvm::dyn_cast<BinaryOperator>(&v);
  return i && (i->getOpcode() == Instruction::FAdd || i->getOpcode() == Instruction::FSub);
}

/// Whether `v` is an operation of `loop` through which a sum or product passes.
bool carries(const Loop& loop, const Value& v) {
  const auto* i = llvm::dyn_cast<Instruction>(&v);
  return i && loop.contains(i) && is_float(*i) &&
         (is_sum(*i) || is_product(*i) || llvm::isa<llvm::PHINode, llvm::SelectInst>(i));
}

/// The values that depend on `phi` and on which its next value depends.
Values cycle_of(const Loop& loop, llvm::PHINode& phi) {
  Values after;
  llvm::SmallVector<Value*, 16> open{&phi};
  while (!open.empty())
    for (llvm::User* user : open.pop_back_val()->users())
      if (carries(loop, *user) && after.insert(user)) open.push_back(user);
  Values cycle;
  if (!after.contains(&phi)) return cycle;
  open.push_back(&phi);
  while (!open.empty())
    for (Value* operand : llvm::cast<Instruction>(open.pop_back_val())->operands())
      if (after.contains(operand) && cycle.insert(operand)) open.push_back(operand);
  return cycle;
}

class OrderedSums {
 public:
  explicit OrderedSums(llvm::Function& kernel) : constants_(kernel) {}

  void rewrite(const Values& cycle) {
    llvm::SmallVector<BinaryOperator*, 8> operations;
    for (Value* v : cycle)
      if (auto* operation = llvm::dyn_cast<BinaryOperator>(v)) operations.push_back(operation);
    // With reassociation permitted, the faster order is better.
    if (llvm::any_of(operations, [](BinaryOperator* o) { return o->hasAllowReassoc(); })) return;
    const auto product = [](BinaryOperator* o) { return is_product(*o); };
    if (llvm::any_of(operations, product) && !llvm::all_of(operations, product)) return;
    for (BinaryOperator* operation : operations) {
      IRBuilder<> b(operation);
      Value* const replacement = opencl_operation(b, *operation);
      replacement->takeName(operation);
      operation->replaceAllUsesWith(replacement);
      operation->eraseFromParent();
    }
  }

 private:
  Value* opencl_operation(IRBuilder<>& b, BinaryOperator& operation) {
    Value* x = operation.getOperand(0);
    Value* y = operation.getOperand(1);
    llvm::Type* const type = operation.getType();
    const auto fma = [&](Value* factor, Value* other, Value* addend) {
      return call_builtin(b, "fma", type, {factor, other, addend});
    };
    switch (operation.getOpcode()) {
      case Instruction::FMul:
        return fma(x, y, hidden(-0.0, type));
      case Instruction::FSub:
        return fma(y, hidden(-1.0, type), x);
      default:
        return fma(x, hidden(1.0, type), y);
    }
  }

  Value* hidden(double value, llvm::Type* type) {
    return constants_.get(llvm::ConstantFP::get(type, value));
  }

  HiddenConstants constants_;
};

}  // namespace

void keep_sums_in_order(llvm::Function& kernel) {
  const llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  OrderedSums sums(kernel);
  for (const Loop* loop : loops.getLoopsInPreorder())
    for (llvm::PHINode& phi : loop->getHeader()->phis())
      if (is_float(phi)) sums.rewrite(cycle_of(*loop, phi));
}

}  // namespace hither::compiler
