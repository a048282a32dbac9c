#include "compiler/module/intrinsics.h"

#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/module/address_space.h"
#include "compiler/module/group_function.h"

namespace hither::compiler {
namespace {

struct Row {
  Intrinsic intrinsic;
  const char* name;
  const char* spelling;
};
constexpr Row kRows[] = {
    {Intrinsic::kGlobalId, "hither.global_id", "i64 @hither.global_id(i32)"},
    {Intrinsic::kGlobalSize, "hither.global_size", "i64 @hither.global_size(i32)"},
    {Intrinsic::kLocalId, "hither.local_id", "i64 @hither.local_id(i32)"},
    {Intrinsic::kLocalSize, "hither.local_size", "i64 @hither.local_size(i32)"},
    {Intrinsic::kGroupId, "hither.group_id", "i64 @hither.group_id(i32)"},
    {Intrinsic::kNumGroups, "hither.num_groups", "i64 @hither.num_groups(i32)"},
    {Intrinsic::kSubGroupSize, "hither.sub_group_size", "i32 @hither.sub_group_size()"},
    {Intrinsic::kSubGroupLocalId, "hither.sub_group_local_id", "i32 @hither.sub_group_local_id()"},
    {Intrinsic::kSubGroupId, "hither.sub_group_id", "i32 @hither.sub_group_id()"},
    {Intrinsic::kNumSubGroups, "hither.num_sub_groups", "i32 @hither.num_sub_groups()"},
    {Intrinsic::kSubGroupBarrier, "hither.sub_group_barrier",
     "void @hither.sub_group_barrier(i32)"},
    {Intrinsic::kBarrier, "hither.barrier", "void @hither.barrier(i32)"},
    {Intrinsic::kRaise, "hither.raise", "void @hither.raise(i32, i32)"},
    {Intrinsic::kPrintBuffer, "hither.print_buffer", "ptr addrspace(1) @hither.print_buffer()"},
};

const Row* row_of(const llvm::Function& f) {
  if (!f.isDeclaration()) return nullptr;
  for (const Row& row : kRows)
    if (f.getName() == row.name) return &row;
  return nullptr;
}

bool has_the_type(const llvm::Function& f, Intrinsic intrinsic) {
  const llvm::FunctionType* type = f.getFunctionType();
  if (intrinsic == Intrinsic::kPrintBuffer)
    return type == llvm::FunctionType::get(llvm::PointerType::get(f.getContext(), kGlobal), false);
  const bool sub_group = is_sub_group_query(intrinsic);
  const bool returns_nothing = !sub_group && !is_index_query(intrinsic);
  const unsigned arity = intrinsic == Intrinsic::kRaise ? 2 : sub_group ? 0 : 1;
  if (type->isVarArg() || type->getNumParams() != arity) return false;
  for (const llvm::Type* p : type->params())
    if (!p->isIntegerTy(32)) return false;
  return returns_nothing ? type->getReturnType()->isVoidTy()
                         : type->getReturnType()->isIntegerTy(sub_group ? 32 : 64);
}

void annotate(llvm::Function& f, Intrinsic intrinsic) {
  f.setDoesNotThrow();
  f.setWillReturn();
  if (intrinsic == Intrinsic::kRaise) return;
  if (intrinsic == Intrinsic::kBarrier || intrinsic == Intrinsic::kSubGroupBarrier ||
      intrinsic == Intrinsic::kGroupFunction)
    return f.setConvergent();
  f.setDoesNotAccessMemory();
  f.setSpeculatable();
  if (!is_index_query(intrinsic)) return;
  llvm::MDBuilder metadata(f.getContext());
  // With the range [0, 2^63) the wraparound of negative indices folds away.
  llvm::MDNode* range =
      metadata.createRange(llvm::APInt(64, 0), llvm::APInt::getSignedMinValue(64));
  for (llvm::User* user : f.users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user))
      call->setMetadata(llvm::LLVMContext::MD_range, range);
}

}  // namespace

std::optional<Intrinsic> intrinsic_of(const llvm::Function& f) {
  const Row* row = row_of(f);
  if (row && has_the_type(f, row->intrinsic)) return row->intrinsic;
  if (!row && group_function(f)) return Intrinsic::kGroupFunction;
  return std::nullopt;
}

bool is_misdeclared_intrinsic(const llvm::Function& f) {
  const Row* row = row_of(f);
  return row && !has_the_type(f, row->intrinsic);
}

const char* declaration_of(const llvm::Function& f) { return row_of(f)->spelling; }

int dimensions_queried(const llvm::Module& module) {
  int highest = 1;
  for (const llvm::Function& f : module) {
    auto intrinsic = intrinsic_of(f);
    if (!intrinsic || !is_index_query(*intrinsic)) continue;
    for (const llvm::User* user : f.users()) {
      auto* dim =
          llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::CallInst>(user)->getOperand(0));
      uint64_t queried = dim ? dim->getZExtValue() + 1 : 3;
      highest = std::max<int>(highest, static_cast<int>(std::min<uint64_t>(queried, 3)));
    }
  }
  return highest;
}

void annotate_intrinsics(llvm::Module& module) {
  for (llvm::Function& f : module)
    if (auto intrinsic = intrinsic_of(f)) annotate(f, *intrinsic);
}

}  // namespace hither::compiler
