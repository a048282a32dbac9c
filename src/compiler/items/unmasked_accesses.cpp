#include "compiler/items/unmasked_accesses.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace hither::compiler {
namespace {

using llvm::IntrinsicInst;
using llvm::Value;

constexpr const char* kUnmasked = "hither.unmasked";

bool is_allowed(const Value* pointer) {
  auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
  return variable && variable->hasMetadata(kUnmasked);
}

/// Operands of llvm.masked.load: address, alignment, mask, value of the lanes that are not loaded.
bool unmask_load(IntrinsicInst& load) {
  if (!is_allowed(load.getArgOperand(0))) return false;
  llvm::IRBuilder<> b(&load);
  Value* loaded =
      b.CreateAlignedLoad(load.getType(), load.getArgOperand(0),
                          llvm::cast<llvm::ConstantInt>(load.getArgOperand(1))->getAlignValue());
  Value* others = load.getArgOperand(3);
  if (!llvm::isa<llvm::UndefValue>(others))
    loaded = b.CreateSelect(load.getArgOperand(2), loaded, others);
  load.replaceAllUsesWith(loaded);
  load.eraseFromParent();
  return true;
}

/// Operands of llvm.masked.store: value, address, alignment, mask.
bool unmask_store(IntrinsicInst& store) {
  Value *value = store.getArgOperand(0), *pointer = store.getArgOperand(1);
  if (!is_allowed(pointer)) return false;
  llvm::IRBuilder<> b(&store);
  const auto align = llvm::cast<llvm::ConstantInt>(store.getArgOperand(2))->getAlignValue();
  Value* old = b.CreateAlignedLoad(value->getType(), pointer, align);
  b.CreateAlignedStore(b.CreateSelect(store.getArgOperand(3), value, old), pointer, align);
  store.eraseFromParent();
  return true;
}

}  // namespace

void allow_unmasked_accesses(llvm::AllocaInst& variable) {
  variable.setMetadata(kUnmasked, llvm::MDNode::get(variable.getContext(), {}));
}

llvm::PreservedAnalyses UnmaskAccesses::run(llvm::Function& f, llvm::FunctionAnalysisManager&) {
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
    auto* intrinsic = llvm::dyn_cast<IntrinsicInst>(&i);
    if (!intrinsic) continue;
    if (intrinsic->getIntrinsicID() == llvm::Intrinsic::masked_load)
      changed |= unmask_load(*intrinsic);
    else if (intrinsic->getIntrinsicID() == llvm::Intrinsic::masked_store)
      changed |= unmask_store(*intrinsic);
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace hither::compiler
