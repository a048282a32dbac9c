#include "compiler/spirv/builtins.h"

#include "compiler/module/address_space.h"
#include "compiler/spirv/opencl_builtin.h"

namespace hither::compiler {
namespace {

using llvm::IRBuilder;
using llvm::Value;

llvm::Type* passed_type(llvm::Type* type) {
  auto* pair = llvm::dyn_cast<llvm::StructType>(type);
  return pair ? llvm::FixedVectorType::get(pair->getElementType(0), 2) : type;
}

Value* unpack(IRBuilder<>& b, llvm::Argument& passed, llvm::Argument& old) {
  if (passed.getType() == old.getType()) return &passed;
  Value* pair = llvm::PoisonValue::get(old.getType());
  for (unsigned i : {0u, 1u})
    pair = b.CreateInsertValue(pair, b.CreateExtractElement(&passed, uint64_t{i}), i);
  return pair;
}

}  // namespace

Value* SpirvBuiltins::index_query(IRBuilder<>& b, Intrinsic intrinsic, int, int device_dim) {
  static constexpr const char* kNames[] = {"get_global_id",  "get_global_size", "get_local_id",
                                           "get_local_size", "get_group_id",    "get_num_groups"};
  return call_builtin(b, kNames[static_cast<int>(intrinsic)], b.getInt64Ty(),
                      {b.getInt32(static_cast<uint32_t>(device_dim))});
}

Value* SpirvBuiltins::sub_group_query(IRBuilder<>& b, Intrinsic intrinsic) {
  const char* name = intrinsic == Intrinsic::kSubGroupSize      ? "get_sub_group_size"
                     : intrinsic == Intrinsic::kSubGroupLocalId ? "get_sub_group_local_id"
                     : intrinsic == Intrinsic::kSubGroupId      ? "get_sub_group_id"
                                                                : "get_num_sub_groups";
  return call_builtin(b, name, b.getInt32Ty(), {});
}

void SpirvBuiltins::barrier(IRBuilder<>& b, Value* fence) {
  call_builtin(b, "barrier", b.getVoidTy(), {fence}, Effect::kConvergent);
}

void SpirvBuiltins::sub_group_barrier(IRBuilder<>& b, Value* fence) {
  call_builtin(b, "sub_group_barrier", b.getVoidTy(), {fence}, Effect::kConvergent);
}

Value* SpirvBuiltins::shuffled(IRBuilder<>& b, Value* value, Value* from) {
  return call_builtin(b, "sub_group_shuffle", value->getType(), {value, from}, Effect::kConvergent);
}

DeviceEntry make_spirv_entry(llvm::Module& module, const target::KernelModule& source,
                             bool in_groups) {
  DeviceEntry entry = describe_entry(module, source, in_groups);
  llvm::SmallVector<llvm::Type*, 16> types;
  for (llvm::Type* type : entry.function->getFunctionType()->params())
    types.push_back(passed_type(type));
  if (entry.reports_errors) types.push_back(llvm::PointerType::get(module.getContext(), kGlobal));
  replace_parameters(entry, types, unpack);
  entry.function->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  if (entry.reports_errors) entry.record = entry.function->arg_end() - 1;
  SpirvBuiltins builtins;
  replace_intrinsics(entry, builtins, in_groups);
  return entry;
}

}  // namespace hither::compiler
