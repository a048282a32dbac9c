#include "array/emit_group.h"

namespace hither::array {

using llvm::Value;

void GroupEmitter::barrier() {
  constexpr uint32_t kLocalAndGlobal = 3;
  llvm::IRBuilder<>& b = m_.b();
  m_.call("hither.barrier", b.getVoidTy(), {b.getInt32(kLocalAndGlobal)});
}

Value* GroupEmitter::from_first(Value* value) {
  llvm::IRBuilder<>& b = m_.b();
  return m_.call("hither.group_broadcast.i32", b.getInt32Ty(), {value, b.getInt32(0)});
}

Value* GroupEmitter::local_array(llvm::Type* type, int count) {
  constexpr unsigned kLocal = 3;
  auto* array = llvm::ArrayType::get(type, static_cast<uint64_t>(count));
  auto* memory = new llvm::GlobalVariable(
      *m_.function()->getParent(), array, false, llvm::GlobalValue::InternalLinkage,
      llvm::PoisonValue::get(array), "shared", nullptr, llvm::GlobalValue::NotThreadLocal, kLocal);
  memory->setAlignment(llvm::Align(16));
  return m_.b().CreateAddrSpaceCast(memory, m_.b().getPtrTy());
}

}  // namespace hither::array
