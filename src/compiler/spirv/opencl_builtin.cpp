#include "compiler/spirv/opencl_builtin.h"

#include <fmt/format.h>

namespace hither::compiler {
namespace {

const char* letter_of(const llvm::Type& type, bool is_signed) {
  if (type.isHalfTy()) return "Dh";
  if (type.isFloatTy()) return "f";
  if (type.isDoubleTy()) return "d";
  switch (type.getIntegerBitWidth()) {
    case 8:
      return is_signed ? "c" : "h";
    case 16:
      return is_signed ? "s" : "t";
    case 32:
      return is_signed ? "i" : "j";
    default:
      return is_signed ? "l" : "m";
  }
}

}  // namespace

std::string mangled(llvm::StringRef name, llvm::ArrayRef<llvm::Type*> types, bool is_signed) {
  std::string result = fmt::format("_Z{}{}", name.size(), name.str());
  for (const llvm::Type* type : types) result += letter_of(*type, is_signed);
  return types.empty() ? result + "v" : result;
}

llvm::CallInst* call_builtin(llvm::IRBuilder<>& b, llvm::StringRef name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Value*> arguments, Effect effect,
                             bool is_signed) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (const llvm::Value* a : arguments) types.push_back(a->getType());
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      mangled(name, types, is_signed), llvm::FunctionType::get(result, types, false));
  auto* f = llvm::cast<llvm::Function>(callee.getCallee());
  f->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  f->setDoesNotThrow();
  if (effect == Effect::kConvergent) {
    f->setConvergent();
  } else {
    f->setDoesNotAccessMemory();
    f->setWillReturn();
  }
  llvm::CallInst* call = b.CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

}  // namespace hither::compiler
