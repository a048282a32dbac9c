#include "compiler/device/memory.h"

#include <fmt/format.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

#include "compiler/module/address_space.h"
#include "compiler/module/diagnostics.h"

namespace hither::compiler {
namespace {

constexpr unsigned kOursConstant = 4;

/// Removes casts to the generic address space whose results are only compared or converted to
/// integers.
void fold_casts(llvm::Function& f) {
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
    auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&i);
    if (!cast) continue;
    for (llvm::User* user : llvm::make_early_inc_range(cast->users()))
      if (auto* number = llvm::dyn_cast<llvm::PtrToIntInst>(user))
        number->setOperand(0, cast->getPointerOperand());
    if (cast->use_empty()) cast->eraseFromParent();
  }
}

}  // namespace

void move_constants(llvm::Module& module, unsigned space) {
  llvm::SmallVector<llvm::Constant*, 8> moved;
  for (llvm::GlobalVariable& old : llvm::make_early_inc_range(module.globals())) {
    if (old.getName().starts_with("llvm.") || !old.isConstant()) continue;
    if (old.getAddressSpace() != kGeneric && old.getAddressSpace() != kOursConstant) continue;
    auto* now = new llvm::GlobalVariable(
        module, old.getValueType(), true, llvm::GlobalValue::InternalLinkage, old.getInitializer(),
        old.getName() + ".constant", nullptr, llvm::GlobalValue::NotThreadLocal, space);
    now->setAlignment(old.getAlign());
    old.replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(now, old.getType()));
    old.eraseFromParent();
    moved.push_back(now);
  }
  if (!moved.empty()) llvm::convertUsersOfConstantsToInstructions(moved);
}

const llvm::Value* accessed_address(const llvm::Instruction& i) {
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) return update->getPointerOperand();
  if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i))
    return exchange->getPointerOperand();
  return llvm::getLoadStorePointerOperand(&i);
}

bool is_private(const llvm::Value& pointer) {
  if (pointer.getType()->getPointerAddressSpace() != kGeneric) return false;
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&pointer, objects, nullptr, /*MaxLookup=*/0);
  return llvm::all_of(objects, [](const llvm::Value* object) {
    return llvm::isa<llvm::AllocaInst, llvm::UndefValue>(object);
  });
}

void expand_memory_intrinsics(llvm::Function& f) {
  llvm::SmallVector<llvm::MemIntrinsic*, 8> found;
  for (llvm::Instruction& i : llvm::instructions(f))
    if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&i)) found.push_back(memory);
  const llvm::TargetTransformInfo costs(f.getParent()->getDataLayout());
  for (llvm::MemIntrinsic* memory : found) {
    if (auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(memory))
      llvm::expandMemCpyAsLoop(copy, costs);
    else if (auto* move = llvm::dyn_cast<llvm::MemMoveInst>(memory))
      llvm::expandMemMoveAsLoop(move, costs);
    else
      llvm::expandMemSetAsLoop(llvm::cast<llvm::MemSetInst>(memory));
    memory->eraseFromParent();
  }
}

void refuse_generic_pointers(llvm::Function& f, const std::string& kernel) {
  fold_casts(f);
  for (const llvm::Instruction& i : llvm::instructions(f)) {
    const llvm::Value* pointer = llvm::isa<llvm::AddrSpaceCastInst>(i) ? &i : accessed_address(i);
    if (!pointer) continue;
    const unsigned space = pointer->getType()->getPointerAddressSpace();
    if (space != kGeneric && space != kOursConstant) continue;
    if (is_private(*pointer)) continue;
    refuse_unsupported(kernel,
                       "this kernel selects an address from several address spaces (global, local, "
                       "private, constant) or reads it from memory, which SPIR-V devices do not "
                       "support; index one array, or select between values instead of arrays");
  }
}

}  // namespace hither::compiler
