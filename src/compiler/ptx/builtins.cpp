#include "compiler/ptx/builtins.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/module/address_space.h"
#include "compiler/ptx/strips.h"

namespace hither::compiler {
namespace {

namespace id = llvm::Intrinsic;
using llvm::IRBuilder;
using llvm::Value;

constexpr uint32_t kWarp = 32;
constexpr uint32_t kAllLanes = ~0u;  // the hardware ignores lanes that do not exist

constexpr id::ID kItem[] = {id::nvvm_read_ptx_sreg_tid_x, id::nvvm_read_ptx_sreg_tid_y,
                            id::nvvm_read_ptx_sreg_tid_z};
constexpr id::ID kItems[] = {id::nvvm_read_ptx_sreg_ntid_x, id::nvvm_read_ptx_sreg_ntid_y,
                             id::nvvm_read_ptx_sreg_ntid_z};
constexpr id::ID kGroup[] = {id::nvvm_read_ptx_sreg_ctaid_x, id::nvvm_read_ptx_sreg_ctaid_y,
                             id::nvvm_read_ptx_sreg_ctaid_z};
constexpr id::ID kGroups[] = {id::nvvm_read_ptx_sreg_nctaid_x, id::nvvm_read_ptx_sreg_nctaid_y,
                              id::nvvm_read_ptx_sreg_nctaid_z};

Value* read(IRBuilder<>& b, id::ID which) { return b.CreateIntrinsic(b.getInt32Ty(), which, {}); }

Value* wide(IRBuilder<>& b, id::ID which) {
  return b.CreateZExt(read(b, which), b.getInt64Ty(), "", /*IsNonNeg=*/true);
}

Value* items_of_group(IRBuilder<>& b) {
  return b.CreateMul(b.CreateMul(read(b, kItems[0]), read(b, kItems[1])), read(b, kItems[2]));
}

/// The linear id that forms warps: the device's dimension 0 is the fastest.
Value* number_in_group(IRBuilder<>& b) {
  Value* plane = b.CreateMul(read(b, kItems[1]), read(b, kItem[2]));
  Value* row = b.CreateAdd(plane, read(b, kItem[1]));
  return b.CreateAdd(b.CreateMul(row, read(b, kItems[0])), read(b, kItem[0]));
}

/// Makes items beyond the range, which exist because the grid is rounded up, return at once. Those
/// of the device's dimension `checked` are not tested. Allocas stay in the entry block.
void return_outside_range(DeviceEntry& entry, PtxBuiltins& builtins, llvm::ArrayRef<Value*> sizes,
                          int except = -1) {
  llvm::BasicBlock& block = entry.function->getEntryBlock();
  for (llvm::Instruction& i : llvm::make_early_inc_range(block))
    if (llvm::isa<llvm::AllocaInst>(i)) i.moveBefore(block, block.begin());
  IRBuilder<> b(&block, block.getFirstNonPHIOrDbgOrAlloca());
  Value* outside = b.getFalse();
  for (int d = 0; d < entry.dimensions; ++d) {
    const int device_dim = entry.dimensions - 1 - d;
    if (device_dim == except) continue;
    Value* at = builtins.index_query(b, Intrinsic::kGlobalId, d, device_dim);
    outside = b.CreateOr(outside, b.CreateICmpUGE(at, sizes[static_cast<size_t>(d)]));
  }
  llvm::Instruction* leave =
      llvm::SplitBlockAndInsertIfThen(outside, b.GetInsertPoint(), /*Unreachable=*/true);
  IRBuilder<>(leave).CreateRetVoid();
  leave->eraseFromParent();
}

/// PTX allows fewer characters in names than LLVM.
std::string ptx_name(llvm::StringRef name) {
  std::string result = name.str();
  for (char& c : result)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '$') c = '_';
  return !result.empty() && std::isdigit(static_cast<unsigned char>(result[0])) ? '_' + result
                                                                                : result;
}

/// The known local size by the device's dimensions; nothing if it is not known.
std::optional<std::array<int64_t, 3>> block_of(const target::KernelModule& source, int dimensions) {
  if (source.local_size[0] <= 0) return std::nullopt;
  std::array<int64_t, 3> block{1, 1, 1};
  for (int d = 0; d < 3; ++d)
    block[static_cast<size_t>(d < dimensions ? dimensions - 1 - d : d)] =
        std::max<int64_t>(source.local_size[d], 1);
  return block;
}

/// Promises that all groups have the known size, so that registers are limited to what it permits.
void promise_block(llvm::Function& kernel, const target::KernelModule& source, int dimensions) {
  const auto block = block_of(source, dimensions);
  if (!block) return;
  llvm::LLVMContext& context = kernel.getContext();
  const auto annotate = [&](const char* name, int64_t value) {
    auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value);
    kernel.getParent()
        ->getOrInsertNamedMetadata("nvvm.annotations")
        ->addOperand(llvm::MDNode::get(
            context, {llvm::ValueAsMetadata::get(&kernel), llvm::MDString::get(context, name),
                      llvm::ConstantAsMetadata::get(number)}));
  };
  annotate("reqntidx", (*block)[0]);
  annotate("reqntidy", (*block)[1]);
  annotate("reqntidz", (*block)[2]);
  if (source.resident_groups > 0) annotate("minctasm", source.resident_groups);
}

/// All dynamic local memory is one array. The kernel's arguments are offsets into it.
llvm::GlobalVariable* dynamic_local_memory(llvm::Module& module) {
  auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.getContext()), 0);
  auto* memory = new llvm::GlobalVariable(module, bytes, false, llvm::GlobalValue::ExternalLinkage,
                                          nullptr, "hither_local_memory", nullptr,
                                          llvm::GlobalValue::NotThreadLocal, kLocal);
  memory->setAlignment(llvm::Align(16));
  return memory;
}

void replace_arguments(DeviceEntry& entry, llvm::Module& module, bool in_groups) {
  llvm::SmallVector<llvm::Type*, 16> types;
  bool is_dynamic = false;
  for (llvm::Type* type : entry.function->getFunctionType()->params()) {
    const bool is_local = type->isPointerTy() && type->getPointerAddressSpace() == kLocal;
    types.push_back(is_local ? llvm::Type::getInt32Ty(module.getContext()) : type);
    is_dynamic |= is_local;
  }
  if (entry.reports_errors) types.push_back(llvm::PointerType::get(module.getContext(), kGlobal));
  if (!in_groups)
    types.append(static_cast<size_t>(entry.dimensions),
                 llvm::Type::getInt64Ty(module.getContext()));
  llvm::GlobalVariable* memory = is_dynamic ? dynamic_local_memory(module) : nullptr;
  replace_parameters(entry, types,
                     [&](IRBuilder<>& b, llvm::Argument& passed, llvm::Argument& old) -> Value* {
                       if (passed.getType() == old.getType()) return &passed;
                       return b.CreateInBoundsGEP(b.getInt8Ty(), memory, &passed);
                     });
}

// Hints of the front end have simplified the kernel by now. Their calls would count as writes.
void drop_hints(llvm::Function& kernel) {
  llvm::SmallVector<llvm::IntrinsicInst*, 8> hints;
  for (llvm::Instruction& i : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
        call && (call->getIntrinsicID() == llvm::Intrinsic::assume ||
                 call->getIntrinsicID() == llvm::Intrinsic::experimental_noalias_scope_decl))
      hints.push_back(call);
  for (llvm::IntrinsicInst* call : hints) {
    Value* condition = call->getArgOperand(0);
    call->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(condition);
  }
}

/// The dimension that a call of `intrinsic` asks for; null for other values.
Value* dimension_asked(Value* value, Intrinsic intrinsic) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && intrinsic_of(*callee) == intrinsic ? call->getArgOperand(0) : nullptr;
}

/// Replaces the group's id times the local size plus the local id by the global id. A thread may
/// then compute several items.
void use_global_ids(llvm::Function& kernel) {
  using namespace llvm::PatternMatch;
  llvm::Module& module = *kernel.getParent();
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    Value *first, *second, *local;
    if (!match(&i, m_c_Add(m_Mul(m_Value(first), m_Value(second)), m_Value(local)))) continue;
    Value* const dimension = dimension_asked(local, Intrinsic::kLocalId);
    const auto is_product = [&](Value* group, Value* size) {
      return dimension && dimension_asked(group, Intrinsic::kGroupId) == dimension &&
             dimension_asked(size, Intrinsic::kLocalSize) == dimension;
    };
    if (!is_product(first, second) && !is_product(second, first)) continue;
    const llvm::FunctionCallee global_id = module.getOrInsertFunction(
        "hither.global_id", llvm::cast<llvm::CallInst>(local)->getFunctionType());
    i.replaceAllUsesWith(IRBuilder<>(&i).CreateCall(global_id, {dimension}));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(&i);
  }
  annotate_intrinsics(module);
}

}  // namespace

int64_t items_of_row_groups(const target::KernelModule& source, int dimensions) {
  const bool in_rows = dimensions == 1 && source.local_size[1] <= 1 && source.local_size[2] <= 1;
  return in_rows ? source.local_size[0] : 0;
}

Value* PtxBuiltins::index_query(IRBuilder<>& b, Intrinsic intrinsic, int dim, int device_dim) {
  const auto t = static_cast<size_t>(device_dim), d = static_cast<size_t>(dim);
  switch (intrinsic) {
    case Intrinsic::kGlobalId:
      if (item_ && device_dim == dimension_of_item_) return item_;
      return b.CreateNUWAdd(b.CreateNUWMul(wide(b, kGroup[t]), wide(b, kItems[t])),
                            wide(b, kItem[t]));
    case Intrinsic::kGlobalSize:
      if (!sizes_.empty()) return d < sizes_.size() ? sizes_[d] : b.getInt64(1);
      return b.CreateNUWMul(wide(b, kGroups[t]), wide(b, kItems[t]));
    case Intrinsic::kLocalId:
      return wide(b, kItem[t]);
    case Intrinsic::kLocalSize:
      return wide(b, kItems[t]);
    case Intrinsic::kGroupId:
      return wide(b, kGroup[t]);
    default:
      return wide(b, kGroups[t]);
  }
}

Value* PtxBuiltins::sub_group_query(IRBuilder<>& b, Intrinsic intrinsic) {
  if (intrinsic == Intrinsic::kSubGroupLocalId) return read(b, id::nvvm_read_ptx_sreg_laneid);
  if (intrinsic == Intrinsic::kSubGroupSize && items_ > 0 && items_ % kWarp == 0)
    return b.getInt32(kWarp);
  Value* item = items_ > 0 ? read(b, kItem[0]) : number_in_group(b);
  Value* number = b.CreateUDiv(item, b.getInt32(kWarp));
  if (intrinsic == Intrinsic::kSubGroupId) return number;
  Value* items = items_ > 0 ? b.getInt32(items_) : items_of_group(b);
  if (intrinsic == Intrinsic::kNumSubGroups)
    return b.CreateUDiv(b.CreateAdd(items, b.getInt32(kWarp - 1)), b.getInt32(kWarp));
  Value* rest = b.CreateSub(items, b.CreateMul(number, b.getInt32(kWarp)));
  return b.CreateBinaryIntrinsic(id::umin, rest, b.getInt32(kWarp));
}

void PtxBuiltins::barrier(IRBuilder<>& b, Value*) {
  b.CreateIntrinsic(b.getVoidTy(), id::nvvm_barrier0, {});
}

void PtxBuiltins::sub_group_barrier(IRBuilder<>& b, Value*) {
  b.CreateIntrinsic(b.getVoidTy(), id::nvvm_bar_warp_sync, {b.getInt32(kAllLanes)});
}

Value* PtxBuiltins::shuffled(IRBuilder<>& b, Value* value, Value* from) {
  const auto shuffle = [&](Value* half) {
    return b.CreateIntrinsic(b.getInt32Ty(), id::nvvm_shfl_sync_idx_i32,
                             {b.getInt32(kAllLanes), half, from, b.getInt32(kWarp - 1)});
  };
  if (value->getType()->isIntegerTy(32)) return shuffle(value);
  Value* low = shuffle(b.CreateTrunc(value, b.getInt32Ty()));
  Value* high = shuffle(b.CreateTrunc(b.CreateLShr(value, 32), b.getInt32Ty()));
  high = b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), 32);
  return b.CreateOr(high, b.CreateZExt(low, b.getInt64Ty()));
}

DeviceEntry make_ptx_entry(llvm::Module& module, const target::KernelModule& source,
                           bool in_groups) {
  DeviceEntry entry = describe_entry(module, source, in_groups);
  replace_arguments(entry, module, in_groups);
  llvm::Function& kernel = *entry.function;
  kernel.setCallingConv(llvm::CallingConv::PTX_Kernel);
  llvm::SmallVector<Value*, 3> sizes;
  if (!in_groups)
    for (auto left = static_cast<size_t>(entry.dimensions); left > 0; --left)
      sizes.push_back(kernel.arg_end() - left);
  if (entry.reports_errors) entry.record = kernel.arg_end() - sizes.size() - 1;
  const int64_t items = in_groups ? items_of_row_groups(source, entry.dimensions) : 0;
  PtxBuiltins builtins(sizes, items);
  if (!in_groups) {
    drop_hints(kernel);
    use_global_ids(kernel);
    load_first(kernel, source);
  }
  const bool in_row = entry.dimensions == 1;
  ItemsOfThread items_of;
  if (!in_groups && !entry.reports_errors)
    items_of = items_of_thread(kernel, source, entry.dimensions);
  entry.items_of_thread = items_of.count;
  entry.several_if_many = items_of.together;
  if (items_of.count > 1) {
    const int along = in_row ? 0 : 1;  // the device's dimension in which a thread's items differ
    IRBuilder<> b(&kernel.front(), kernel.front().begin());
    Value* step = wide(b, kItems[along]);
    Value* size = sizes[static_cast<size_t>(entry.dimensions - 1 - along)];
    Value* count = b.getInt64(items_of.count);
    if (items_of.together) {
      Value* threads = b.CreateNUWMul(wide(b, kGroups[along]), step);
      count = b.CreateSelect(b.CreateICmpULT(threads, size), count, b.getInt64(1));
    }
    Value* group = b.CreateNUWMul(b.CreateNUWMul(wide(b, kGroup[along]), count), step);
    Value* place = wide(b, kItem[along]);
    auto* item = llvm::cast<llvm::Instruction>(b.CreateNUWAdd(group, place));
    builtins.set_item(item, along);
    const bool in_loop = runs_in_loop(kernel);
    replace_intrinsics(entry, builtins, in_groups);
    run_items_in_thread(kernel, {group, place, step, item, count, items_of, in_row, in_loop},
                        *size);
    if (!in_row) return_outside_range(entry, builtins, sizes, along);
  } else {
    replace_intrinsics(entry, builtins, in_groups);
    if (!in_groups) return_outside_range(entry, builtins, sizes);
  }
  kernel.setName(ptx_name(kernel.getName()));
  if (in_groups) promise_block(kernel, source, entry.dimensions);
  return entry;
}

void fold_local_size(llvm::Function& kernel, const target::KernelModule& source, int dimensions) {
  const auto block = block_of(source, dimensions);
  if (!block) return;
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
    if (!call) continue;
    for (size_t d = 0; d < 3; ++d) {
      const auto items = static_cast<uint64_t>((*block)[d]);
      if (call->getIntrinsicID() == kItem[d])
        call->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, items)));
      if (call->getIntrinsicID() != kItems[d]) continue;
      call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), items));
      call->eraseFromParent();
      break;
    }
  }
}

}  // namespace hither::compiler
