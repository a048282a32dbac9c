#include "compiler/spirv/atomic_accesses.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace hither::compiler {
namespace {

using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;

// Updates have no unordered form.
AtomicOrdering at_least_monotonic(AtomicOrdering order) {
  return order == AtomicOrdering::Unordered ? AtomicOrdering::Monotonic : order;
}

}  // namespace

void replace_atomic_accesses(llvm::Function& f) {
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
    llvm::IRBuilder<> b(&i);
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i); load && load->isAtomic()) {
      llvm::Type* type = b.getIntNTy(load->getType()->getScalarSizeInBits());
      llvm::Value* old = b.CreateAtomicRMW(
          AtomicRMWInst::Or, load->getPointerOperand(), llvm::ConstantInt::get(type, 0),
          load->getAlign(), at_least_monotonic(load->getOrdering()), load->getSyncScopeID());
      load->replaceAllUsesWith(b.CreateBitCast(old, load->getType()));
      load->eraseFromParent();
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i); store && store->isAtomic()) {
      llvm::Value* value = store->getValueOperand();
      value = b.CreateBitCast(value, b.getIntNTy(value->getType()->getScalarSizeInBits()));
      b.CreateAtomicRMW(AtomicRMWInst::Xchg, store->getPointerOperand(), value, store->getAlign(),
                        at_least_monotonic(store->getOrdering()), store->getSyncScopeID());
      store->eraseFromParent();
    }
  }
}

}  // namespace hither::compiler
