#include "array/emit/group.h"

#include <fmt/format.h>

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

Element GroupEmitter::exchanged(const Element& e, int mask) {
  llvm::IRBuilder<>& b = m_.b();
  auto part = [&](Value* v) -> Value* {
    if (!v) return nullptr;
    llvm::Type* type = v->getType();
    const bool is_bit = type->isIntegerTy(1);
    if (is_bit) v = b.CreateZExt(v, b.getInt8Ty());
    const std::string name =
        fmt::format("hither.sub_group_shuffle_xor.{}{}", type->isFloatingPointTy() ? 'f' : 'i',
                    v->getType()->getScalarSizeInBits());
    v = m_.call(name, v->getType(), {v, b.getInt32(static_cast<uint32_t>(mask))});
    return is_bit ? b.CreateTrunc(v, type) : v;
  };
  return {part(e.re), part(e.im)};
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
