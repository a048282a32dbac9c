#include "compiler/ptx/memory.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "compiler/module/address_space.h"
#include "compiler/module/diagnostics.h"

namespace hither::compiler {
namespace {

namespace id = llvm::Intrinsic;
using llvm::AtomicOrdering;
using llvm::IRBuilder;

id::ID fence_of(const llvm::LLVMContext& context, llvm::SyncScope::ID scope) {
  llvm::SmallVector<llvm::StringRef, 8> names;
  context.getSyncScopeNames(names);
  const llvm::StringRef name = names[scope];
  if (name == "workgroup" || name == "subgroup" || name == "singlethread")
    return id::nvvm_membar_cta;
  return name == "device" ? id::nvvm_membar_gl : id::nvvm_membar_sys;
}

void fence(llvm::Instruction* before, llvm::SyncScope::ID scope) {
  IRBuilder<> b(before);
  b.CreateIntrinsic(b.getVoidTy(), fence_of(before->getContext(), scope), {});
}

/// Sets the order to monotonic and returns the previous one.
AtomicOrdering relax(llvm::Instruction& i) {
  AtomicOrdering order = AtomicOrdering::NotAtomic;
  if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&i)) {
    order = update->getOrdering();
    update->setOrdering(AtomicOrdering::Monotonic);
    update->setSyncScopeID(llvm::SyncScope::System);
  } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&i)) {
    order = exchange->getMergedOrdering();
    exchange->setSuccessOrdering(AtomicOrdering::Monotonic);
    exchange->setFailureOrdering(AtomicOrdering::Monotonic);
    exchange->setSyncScopeID(llvm::SyncScope::System);
  } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) {
    order = load->getOrdering();
    load->setAtomic(AtomicOrdering::Monotonic);
  } else {
    auto& store = llvm::cast<llvm::StoreInst>(i);
    order = store.getOrdering();
    store.setAtomic(AtomicOrdering::Monotonic);
  }
  return order;
}

bool is_generic(const llvm::AddrSpaceCastInst& cast) {
  return cast.getSrcAddressSpace() == kGeneric || cast.getDestAddressSpace() == kGeneric;
}

}  // namespace

void order_atomics_by_fences(llvm::Function& f) {
  llvm::SmallVector<llvm::Instruction*, 8> found;
  for (llvm::Instruction& i : llvm::instructions(f))
    if (i.isAtomic()) found.push_back(&i);
  for (llvm::Instruction* i : found) {
    if (auto* only = llvm::dyn_cast<llvm::FenceInst>(i)) {
      fence(only, only->getSyncScopeID());
      only->eraseFromParent();
      continue;
    }
    const llvm::SyncScope::ID scope =
        llvm::getAtomicSyncScopeID(i).value_or(llvm::SyncScope::System);
    const AtomicOrdering order = relax(*i);
    if (llvm::isReleaseOrStronger(order)) fence(i, scope);
    if (llvm::isAcquireOrStronger(order)) fence(i->getNextNode(), scope);
  }
}

void prepare_memory(llvm::Module& module, const std::string& kernel) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() == kLocal && variable.hasInitializer())
      variable.setInitializer(llvm::UndefValue::get(variable.getValueType()));
    // Passes assume the preferred alignment, but the code generator writes the smallest one.
    if (!variable.getAlign())
      variable.setAlignment(module.getDataLayout().getPreferredAlign(&variable));
  }
  for (llvm::Function& f : module)
    for (llvm::Instruction& i : llvm::instructions(f)) {
      auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&i);
      if (!cast || is_generic(*cast)) continue;
      refuse_unsupported(
          kernel,
          "this kernel selects an address from constant and other memory, which CUDA devices do "
          "not support; index one array, or select between values instead of arrays");
    }
}

}  // namespace hither::compiler
