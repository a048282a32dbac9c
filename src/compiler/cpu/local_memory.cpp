#include "compiler/cpu/local_memory.h"

#include <algorithm>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "compiler/module/address_space.h"

namespace hither::compiler {
namespace {

const llvm::Align kAlign{64};  // a cache line and the widest vector

llvm::SmallVector<llvm::GlobalVariable*, 8> local_variables(llvm::Module& module) {
  llvm::SmallVector<llvm::GlobalVariable*, 8> variables;
  for (llvm::GlobalVariable& variable : module.globals()) {
    variable.removeDeadConstantUsers();
    if (variable.getAddressSpace() == kLocal) variables.push_back(&variable);
  }
  return variables;
}

bool is_local(const llvm::Value* pointer) {
  return pointer->getType()->getPointerAddressSpace() == kLocal;
}

/// True for a fence that only orders accesses of a group.
bool is_of_the_group(const llvm::FenceInst& fence) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  fence.getContext().getSyncScopeNames(names);
  const llvm::StringRef name = names[fence.getSyncScopeID()];
  return name == "workgroup" || name == "subgroup" || name == "singlethread";
}

}  // namespace

void relax_local_atomics(llvm::Function& kernel) {
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) {
      if (is_local(update->getPointerOperand())) llvm::lowerAtomicRMWInst(update);
    } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i)) {
      if (is_local(exchange->getPointerOperand())) llvm::lowerAtomicCmpXchgInst(exchange);
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) {
      if (is_local(load->getPointerOperand())) load->setOrdering(llvm::AtomicOrdering::NotAtomic);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
      if (is_local(store->getPointerOperand())) store->setOrdering(llvm::AtomicOrdering::NotAtomic);
    } else if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&i)) {
      if (is_of_the_group(*fence)) fence->eraseFromParent();
    }
  }
}

void expand_local_memory(llvm::Module& module, llvm::Function& kernel) {
  llvm::SmallVector<llvm::Constant*, 8> constants;
  for (llvm::GlobalVariable* variable : local_variables(module)) constants.push_back(variable);
  if (!constants.empty()) llvm::convertUsersOfConstantsToInstructions(constants, &kernel);
}

int64_t place_local_memory(llvm::Module& module, llvm::Function& kernel) {
  int64_t bytes = 0;
  llvm::IRBuilder<> b(&kernel.getEntryBlock(), kernel.getEntryBlock().begin());
  for (llvm::GlobalVariable* variable : local_variables(module)) {
    llvm::AllocaInst* memory =
        b.CreateAlloca(variable->getValueType(), nullptr, variable->getName());
    memory->setAlignment(std::max(kAlign, variable->getAlign().valueOrOne()));
    const uint64_t size = module.getDataLayout().getTypeAllocSize(variable->getValueType());
    bytes += static_cast<int64_t>(llvm::alignTo(size, memory->getAlign()));
    variable->replaceAllUsesWith(b.CreateAddrSpaceCast(memory, variable->getType()));
    variable->eraseFromParent();
  }
  return bytes;
}

}  // namespace hither::compiler
