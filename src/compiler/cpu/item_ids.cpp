#include "compiler/cpu/item_ids.h"

#include <cstddef>

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "compiler/module/diagnostics.h"
#include "compiler/module/intrinsics.h"
#include "target/code_image.h"

namespace hither::compiler {
namespace {

using llvm::IRBuilder;
using llvm::Value;

Value* select_dimension(IRBuilder<>& b, Value* dim, Value* const (&values)[3]) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(dim)) {
    uint64_t d = constant->getZExtValue();
    return values[d < 3 ? d : 2];
  }
  Value* rest = b.CreateSelect(b.CreateICmpEQ(dim, b.getInt32(1)), values[1], values[2]);
  return b.CreateSelect(b.CreateICmpEQ(dim, b.getInt32(0)), values[0], rest);
}

/// Without barriers, groups only number the items. With a local size of 0, which leaves it to the
/// device, the whole range is one group.
Value* group_size(IRBuilder<>& b, Value* dim, const ItemIds& ids) {
  Value* local = select_dimension(b, dim, ids.local_size);
  Value* whole = select_dimension(b, dim, ids.global_size);
  return b.CreateSelect(b.CreateICmpEQ(local, b.getInt64(0)), whole, local);
}

Value* answer(IRBuilder<>& b, Intrinsic intrinsic, Value* dim, const ItemIds& ids) {
  switch (intrinsic) {
    case Intrinsic::kGlobalId:
      return select_dimension(b, dim, ids.global_id);
    case Intrinsic::kGlobalSize:
      return select_dimension(b, dim, ids.global_size);
    case Intrinsic::kLocalSize:
      return group_size(b, dim, ids);
    case Intrinsic::kLocalId:
      return b.CreateURem(select_dimension(b, dim, ids.global_id), group_size(b, dim, ids));
    case Intrinsic::kGroupId:
      return b.CreateUDiv(select_dimension(b, dim, ids.global_id), group_size(b, dim, ids));
    case Intrinsic::kNumGroups: {
      Value* group = group_size(b, dim, ids);
      Value* last = b.CreateNUWAdd(select_dimension(b, dim, ids.global_size),
                                   b.CreateSub(group, b.getInt64(1)));
      return b.CreateUDiv(last, group);
    }
    default:
      break;
  }
  return nullptr;
}

}  // namespace

llvm::Function* make_error_recorder(llvm::Module& module) {
  using target::ErrorRecord;
  llvm::LLVMContext& context = module.getContext();
  IRBuilder<> b(context);
  auto* i32 = b.getInt32Ty();
  auto* i64 = b.getInt64Ty();
  auto* type = llvm::FunctionType::get(
      b.getVoidTy(), {llvm::PointerType::get(context, 0), i32, i32, i64, i64, i64}, false);
  auto* f = llvm::Function::Create(type, llvm::Function::InternalLinkage, "hither_record", module);
  f->addFnAttr(llvm::Attribute::NoInline);
  f->addFnAttr(llvm::Attribute::Cold);
  f->setDoesNotThrow();
  auto* entry = llvm::BasicBlock::Create(context, "entry", f);
  auto* won = llvm::BasicBlock::Create(context, "won", f);
  auto* done = llvm::BasicBlock::Create(context, "done", f);
  b.SetInsertPoint(entry);
  auto* exchange =
      b.CreateAtomicCmpXchg(f->getArg(0), b.getInt32(0), f->getArg(1), llvm::Align(4),
                            llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
  b.CreateCondBr(b.CreateExtractValue(exchange, 1), won, done);
  b.SetInsertPoint(won);
  auto field = [&](uint64_t offset) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), f->getArg(0), offset);
  };
  b.CreateAlignedStore(f->getArg(2), field(offsetof(ErrorRecord, line)), llvm::Align(4));
  for (int d = 0; d < 3; ++d)
    b.CreateAlignedStore(f->getArg(3 + d), field(offsetof(ErrorRecord, global_id) + 8 * d),
                         llvm::Align(8));
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return f;
}

void replace_intrinsics(llvm::Function& f, const ItemIds& ids, const std::string& kernel) {
  llvm::Module& module = *f.getParent();
  llvm::Function* recorder = nullptr;
  for (llvm::Function& declaration : llvm::make_early_inc_range(module)) {
    auto intrinsic = intrinsic_of(declaration);
    if (!intrinsic || (*intrinsic != Intrinsic::kRaise && !is_index_query(*intrinsic))) continue;
    for (llvm::User* user : llvm::make_early_inc_range(declaration.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      if (call->getFunction() != &f)
        refuse_unsupported(
            kernel, fmt::format("recursive functions cannot query work-item ids, "
                                "synchronise or raise: {} calls {}; pass the id "
                                "as an argument",
                                call->getFunction()->getName().str(), declaration.getName().str()));
      IRBuilder<> b(call);
      if (*intrinsic == Intrinsic::kRaise) {
        if (!recorder) recorder = make_error_recorder(module);
        b.CreateCall(recorder, {ids.error, call->getArgOperand(0), call->getArgOperand(1),
                                ids.global_id[0], ids.global_id[1], ids.global_id[2]});
      } else {
        call->replaceAllUsesWith(answer(b, *intrinsic, call->getArgOperand(0), ids));
      }
      call->eraseFromParent();
    }
    declaration.eraseFromParent();
  }
}

}  // namespace hither::compiler
