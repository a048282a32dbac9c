#include "compiler/module/group_kernel.h"

#include <algorithm>

#include <fmt/format.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/module/address_space.h"
#include "compiler/module/diagnostics.h"
#include "compiler/module/error_exits.h"
#include "compiler/module/intrinsics.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

/// A function with the kernel's body and seven more parameters, eight for a strip.
Function& with_more_parameters(Function& kernel, bool is_strip) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::SmallVector<llvm::Type*, 16> types(kernel.getFunctionType()->params());
  types.append(6, llvm::Type::getInt64Ty(context));
  types.push_back(llvm::PointerType::get(context, 0));
  if (is_strip) types.push_back(llvm::Type::getInt64Ty(context));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false);
  auto* f = Function::Create(type, Function::InternalLinkage, "", kernel.getParent());
  f->takeName(&kernel);
  f->splice(f->begin(), &kernel);
  for (llvm::Argument& a : kernel.args()) {
    a.replaceAllUsesWith(f->getArg(a.getArgNo()));
    f->getArg(a.getArgNo())->takeName(&a);
  }
  const size_t own = kernel.arg_size();
  const llvm::ConstantRange natural(llvm::APInt(64, 0), llvm::APInt::getSignedMinValue(64));
  for (size_t i = own; i < own + 6; ++i)
    f->addParamAttr(static_cast<unsigned>(i),
                    llvm::Attribute::get(context, llvm::Attribute::Range, natural));
  f->addParamAttr(static_cast<unsigned>(own + 6), llvm::Attribute::NoAlias);
  kernel.eraseFromParent();
  return *f;
}

/// Computes the results of index and sub-group queries.
class IndexQueries {
 public:
  IndexQueries(GroupKernel& group, Function& local_id) : group_(group), local_id_(local_id) {
    llvm::Type* type = llvm::Type::getInt64Ty(group.function->getContext());
    for (int d = 0; d < 3; ++d)
      ranges_[d] = llvm::MDBuilder(group.function->getContext())
                       .createRange(llvm::ConstantInt::get(type, 0),
                                    llvm::ConstantInt::get(
                                        type, static_cast<uint64_t>(group.local_size[d])));
  }

  Value* answer(IRBuilder<>& b, llvm::CallInst& call) {
    const Intrinsic intrinsic = *intrinsic_of(*call.getCalledFunction());
    return is_index_query(intrinsic) ? answer(b, intrinsic, call.getArgOperand(0))
                                     : sub_group_query(b, intrinsic);
  }

 private:
  Value* answer(IRBuilder<>& b, Intrinsic intrinsic, Value* dim) {
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(dim))
      return at(b, intrinsic, static_cast<int>(std::min<uint64_t>(constant->getZExtValue(), 2)));
    Value* rest = b.CreateSelect(b.CreateICmpEQ(dim, b.getInt32(1)), at(b, intrinsic, 1),
                                 at(b, intrinsic, 2));
    return b.CreateSelect(b.CreateICmpEQ(dim, b.getInt32(0)), at(b, intrinsic, 0), rest);
  }

  Value* sub_group_query(IRBuilder<>& b, Intrinsic intrinsic) {
    const auto items = static_cast<uint64_t>(group_.items());
    const auto size = static_cast<uint64_t>(group_.sub_group_size);
    Value* number = b.CreateUDiv(linear_id(b), b.getInt64(size));
    Value* result = number;
    if (intrinsic == Intrinsic::kNumSubGroups) result = b.getInt64((items + size - 1) / size);
    if (intrinsic == Intrinsic::kSubGroupLocalId)
      result = b.CreateURem(linear_id(b), b.getInt64(size));
    if (intrinsic == Intrinsic::kSubGroupSize)
      result = b.CreateSelect(b.CreateICmpULT(number, b.getInt64(items / size)), b.getInt64(size),
                              b.getInt64(items % size));
    return b.CreateTrunc(result, b.getInt32Ty());
  }

  Value* linear_id(IRBuilder<>& b) {
    Value* id = local_id(b, 0);
    for (int d = 1; d < 3; ++d) {
      id = b.CreateMul(id, b.getInt64(static_cast<uint64_t>(group_.local_size[d])), "", true, true);
      id = b.CreateAdd(id, local_id(b, d), "", true, true);
    }
    return id;
  }

  Value* at(IRBuilder<>& b, Intrinsic intrinsic, int d) {
    Value* local_size = b.getInt64(static_cast<uint64_t>(group_.local_size[d]));
    switch (intrinsic) {
      case Intrinsic::kLocalId:
        return local_id(b, d);
      case Intrinsic::kLocalSize:
        return local_size;
      case Intrinsic::kGroupId:
        return group_.group_id[d];
      case Intrinsic::kGlobalSize:
        return group_.global_size[d];
      case Intrinsic::kNumGroups:
        return b.CreateExactUDiv(group_.global_size[d], local_size);
      default:
        Value* first = group_.group_id[d];
        if (group_.place == GroupKernel::Place::kGroupId)
          first = b.CreateMul(first, local_size, "", true, true);
        return b.CreateAdd(first, local_id(b, d), "", true, true);
    }
  }

  Value* local_id(IRBuilder<>& b, int d) {
    if (group_.local_size[d] == 1) return b.getInt64(0);
    llvm::CallInst* call = b.CreateCall(&local_id_, {b.getInt32(static_cast<uint32_t>(d))});
    call->setMetadata(llvm::LLVMContext::MD_range, ranges_[d]);
    return call;
  }

  GroupKernel& group_;
  Function& local_id_;
  llvm::MDNode* ranges_[3];
};

void refuse_other_callers(const Function& kernel) {
  for (const Function& declaration : *kernel.getParent()) {
    if (!intrinsic_of(declaration)) continue;
    for (const llvm::User* user : declaration.users()) {
      const auto* call = llvm::cast<llvm::CallInst>(user);
      if (call->getFunction() == &kernel) continue;
      refuse_unsupported(
          kernel.getName().str(),
          fmt::format("recursive functions cannot query work-item ids, synchronise "
                      "or raise: {} calls {}; pass the id as an argument",
                      call->getFunction()->getName().str(), declaration.getName().str()));
    }
  }
}

void replace_index_queries(GroupKernel& group) {
  llvm::Module& module = *group.function->getParent();
  llvm::Type* i64 = llvm::Type::getInt64Ty(module.getContext());
  auto* local_id = llvm::cast<Function>(
      module.getOrInsertFunction("hither.local_id", i64, llvm::Type::getInt32Ty(i64->getContext()))
          .getCallee());
  annotate_intrinsics(module);
  IndexQueries places(group, *local_id);
  llvm::SmallVector<llvm::CallInst*, 16> calls;
  for (Function& f : module) {
    auto intrinsic = intrinsic_of(f);
    if (!intrinsic) continue;
    if (!is_index_query(*intrinsic) && !is_sub_group_query(*intrinsic)) continue;
    for (llvm::User* user : f.users())
      if (auto* call = llvm::cast<llvm::CallInst>(user); call->getFunction() == group.function)
        calls.push_back(call);
  }
  for (llvm::CallInst* call : calls) {
    IRBuilder<> b(call);
    call->replaceAllUsesWith(places.answer(b, *call));
    call->eraseFromParent();
  }
}

void make_function(GroupKernel& group, Function& kernel) {
  const size_t own = kernel.arg_size();
  const bool is_strip = group.place == GroupKernel::Place::kFirstItem;
  group.function = &with_more_parameters(kernel, is_strip);
  for (size_t d = 0; d < 3; ++d) {
    group.group_id[d] = group.function->getArg(static_cast<unsigned>(own + d));
    group.global_size[d] = group.function->getArg(static_cast<unsigned>(own + 3 + d));
  }
  group.error = group.function->getArg(static_cast<unsigned>(own + 6));
  if (is_strip) group.item_distance = group.function->getArg(static_cast<unsigned>(own + 7));
  replace_index_queries(group);
}

}  // namespace

llvm::BasicBlock* unify_returns(Function& f) {
  llvm::SmallVector<llvm::ReturnInst*, 8> returns;
  for (BasicBlock& block : f)
    if (auto* ret = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) returns.push_back(ret);
  BasicBlock* exit = BasicBlock::Create(f.getContext(), "return", &f);
  IRBuilder<> b(exit);
  b.CreateRetVoid();
  for (llvm::ReturnInst* ret : returns) {
    b.SetInsertPoint(ret);
    b.CreateBr(exit);
    ret->eraseFromParent();
  }
  return exit;
}

bool uses_groups(const llvm::Module& module, const target::Signature& signature) {
  for (const Function& f : module)
    if (auto intrinsic = intrinsic_of(f); intrinsic && !is_index_query(*intrinsic) &&
                                          *intrinsic != Intrinsic::kRaise && !f.use_empty())
      return true;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == kLocal) return true;
  return std::ranges::count(signature.parameters, target::Parameter::kLocalBytes) > 0;
}

GroupKernel make_group_kernel(llvm::Module& module, const target::KernelModule& source,
                              int64_t sub_group_size) {
  GroupKernel group;
  group.sub_group_size = sub_group_size;
  for (int d = 0; d < 3; ++d) {
    if (d == 0 && source.local_size[d] < 1)
      refuse(source.entry,
             "uses work-groups (barriers, local memory or group functions), so it is compiled for "
             "one local size, but none is given");
    group.local_size[d] = std::max<int64_t>(source.local_size[d], 1);
  }
  make_function(group, *module.getFunction(source.entry));
  refuse_other_callers(*group.function);
  end_items_at_errors(*group.function);
  unify_returns(*group.function);
  return group;
}

GroupKernel make_strip_kernel(Function& kernel, int dim, int64_t items) {
  GroupKernel group;
  group.place = GroupKernel::Place::kFirstItem;
  group.local_size[dim] = items;
  make_function(group, kernel);
  unify_returns(*group.function);
  return group;
}

}  // namespace hither::compiler
