#include "compiler/spirv/hidden_constants.h"

#include <llvm/IR/IRBuilder.h>

#include "compiler/spirv/opencl_builtin.h"

namespace hither::compiler {

llvm::Value* HiddenConstants::get(llvm::Constant* constant) {
  llvm::Value*& known = known_[constant];
  if (known) return known;
  llvm::BasicBlock& entry = kernel_.getEntryBlock();
  llvm::IRBuilder<> b(&entry, entry.getFirstInsertionPt());
  llvm::Type* const type = constant->getType();
  llvm::Type* const bits = b.getIntNTy(type->getScalarSizeInBits());
  llvm::Value* const items = call_builtin(b, "get_global_size", b.getInt64Ty(), {b.getInt32(0)});
  llvm::Value* const zero = b.CreateZExt(b.CreateICmpEQ(items, b.getInt64(0)), bits);
  return known = b.CreateBitCast(b.CreateAdd(zero, b.CreateBitCast(constant, bits)), type);
}

}  // namespace hither::compiler
