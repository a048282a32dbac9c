#include "compiler/spirv/fills.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/spirv/opencl_builtin.h"

namespace hither::compiler {
namespace {

bool fills_private_zeros(const llvm::MemSetInst& fill) {
  const auto* value = llvm::dyn_cast<llvm::ConstantInt>(fill.getValue());
  return value && value->isZero() &&
         llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(fill.getDest()));
}

/// No item has a local id as large as the size of its group.
llvm::Value* hidden_zero(llvm::Function& kernel) {
  llvm::IRBuilder<> b(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstInsertionPt());
  llvm::Value* const id = call_builtin(b, "get_local_id", b.getInt64Ty(), {b.getInt32(0)});
  llvm::Value* const size = call_builtin(b, "get_local_size", b.getInt64Ty(), {b.getInt32(0)});
  return b.CreateZExt(b.CreateICmpUGE(id, size), b.getInt8Ty());
}

}  // namespace

void hide_zero_fills(llvm::Function& kernel) {
  llvm::SmallVector<llvm::MemSetInst*, 4> fills;
  for (llvm::Instruction& i : llvm::instructions(kernel))
    if (auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&i); fill && fills_private_zeros(*fill))
      fills.push_back(fill);
  if (fills.empty()) return;
  llvm::Value* const zero = hidden_zero(kernel);
  for (llvm::MemSetInst* fill : fills) fill->setValue(zero);
}

}  // namespace hither::compiler
