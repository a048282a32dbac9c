#include "compiler/local_memory.h"

#include <algorithm>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/ReplaceConstant.h>

namespace hither::compiler {
namespace {

constexpr unsigned kLocal = 3;
const llvm::Align kAlign{64};  // a cache line and the widest vector

llvm::SmallVector<llvm::GlobalVariable*, 8> local_variables(llvm::Module& module) {
  llvm::SmallVector<llvm::GlobalVariable*, 8> variables;
  for (llvm::GlobalVariable& variable : module.globals()) {
    variable.removeDeadConstantUsers();
    if (variable.getAddressSpace() == kLocal) variables.push_back(&variable);
  }
  return variables;
}

}  // namespace

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
