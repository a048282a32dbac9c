#include "compiler/spirv/hidden_zero.h"

#include <llvm/IR/IRBuilder.h>

#include "compiler/spirv/opencl_builtin.h"

namespace hither::compiler {

llvm::Value* hidden_zero(llvm::Function& kernel, llvm::Type* type) {
  llvm::BasicBlock& entry = kernel.getEntryBlock();
  llvm::IRBuilder<> b(&entry, entry.getFirstInsertionPt());
  llvm::Value* const items = call_builtin(b, "get_global_size", b.getInt64Ty(), {b.getInt32(0)});
  return b.CreateZExt(b.CreateICmpEQ(items, b.getInt64(0)), type);
}

}  // namespace hither::compiler
