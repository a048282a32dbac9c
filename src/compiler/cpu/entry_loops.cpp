#include "compiler/cpu/entry_loops.h"

#include <cstddef>
#include <iterator>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/module/math_functions.h"
#include "target/code_image.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::Value;

bool calls_math(const Function& body) {
  for (const llvm::Instruction& i : llvm::instructions(body))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
      if (const Function* callee = call->getCalledFunction(); callee && math_call(*callee))
        return true;
  return false;
}

}  // namespace

EntryLoops::EntryLoops(Function& kernel, int dimensions)
    : kernel_(kernel), dimensions_(dimensions), context_(kernel.getContext()), b_(context_) {
  llvm::Type* pointer = llvm::PointerType::get(context_, 0);
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, pointer, pointer}, false);
  entry_ = Function::Create(type, Function::ExternalLinkage, kCpuEntryName, kernel.getParent());
  for (int i : {0, 1}) {
    entry_->addParamAttr(i, llvm::Attribute::NoAlias);
    entry_->addParamAttr(i, llvm::Attribute::ReadOnly);
  }
  entry_->getArg(2)->addAttr(llvm::Attribute::NoAlias);
  b_.SetInsertPoint(BasicBlock::Create(context_, "entry", entry_));
  access_group_ = llvm::MDNode::getDistinct(context_, {});
}

Function* EntryLoops::build(const target::Signature& signature, bool parallel, bool pass_ids) {
  arguments_ = load_arguments(signature);
  for (int d = 0; d < 3; ++d) {
    sources_.global_size[d] = load_size(offsetof(target::WorkRange, global_size), d, "size");
    sources_.local_size[d] = load_size(offsetof(target::WorkRange, local_size), d, "local_size");
  }
  for (int d = 0; d < 3; ++d) begin_[d] = load_size(offsetof(target::WorkRange, begin), d, "begin");
  for (int d = 0; d < 3; ++d) end_[d] = load_size(offsetof(target::WorkRange, end), d, "end");
  sources_.error = entry_->getArg(2);
  apply_guards();
  open_loops();
  if (pass_ids) append_ids(arguments_);
  call_ = b_.CreateCall(&kernel_, arguments_);
  close_loops(parallel);
  return entry_;
}

void EntryLoops::append_ids(llvm::SmallVectorImpl<Value*>& arguments) const {
  arguments.append(std::begin(sources_.global_id), std::end(sources_.global_id));
  arguments.append(std::begin(sources_.global_size), std::end(sources_.global_size));
  arguments.push_back(sources_.error);
}

llvm::LoadInst* EntryLoops::invariant(llvm::LoadInst* load) {
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
  return load;
}

llvm::SmallVector<Value*, 16> EntryLoops::load_arguments(const target::Signature& signature) {
  llvm::SmallVector<Value*, 16> values;
  uint64_t offset = 0;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    values.push_back(load_argument(signature.parameters[i], *kernel_.getArg(i), offset));
    offset += (size_of(signature.parameters[i]) + 7) / 8 * 8;
  }
  return values;
}

Value* EntryLoops::load_argument(target::Parameter parameter, llvm::Argument& argument,
                                 uint64_t offset) {
  Value* slot = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), entry_->getArg(0), offset);
  if (parameter != target::Parameter::kLocalBytes)
    return invariant(
        b_.CreateAlignedLoad(argument.getType(), slot, llvm::Align(8), argument.getName()));
  // A launch requests at most the device's local memory, which fits on the stack.
  Value* bytes = b_.CreateAlignedLoad(b_.getInt64Ty(), slot, llvm::Align(8));
  llvm::AllocaInst* memory = b_.CreateAlloca(b_.getInt8Ty(), bytes, "local");
  memory->setAlignment(llvm::Align(64));
  return b_.CreateAddrSpaceCast(memory, argument.getType());
}

/// Sizes and ids are in [0, 2^63).
Value* EntryLoops::load_size(uint64_t field, int dim, const char* name) {
  Value* at = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), entry_->getArg(1),
                                            field + dim * sizeof(int64_t));
  llvm::LoadInst* load = invariant(b_.CreateAlignedLoad(b_.getInt64Ty(), at, llvm::Align(8), name));
  llvm::MDBuilder metadata(context_);
  load->setMetadata(llvm::LLVMContext::MD_range,
                    metadata.createRange(llvm::APInt(64, 0), llvm::APInt::getSignedMinValue(64)));
  return load;
}

/// An end stays in [0, 2^63), so that differences do not overflow.
void EntryLoops::apply_guards() {
  for (const ItemGuard& guard : guards_) {
    Value* bound = guard_calls_.emplace_back(b_.CreateCall(guard.bound, arguments_));
    Value*& begin = begin_[guard.dim];
    Value*& end = end_[guard.dim];
    if (guard.is_lower) {
      begin = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, begin, bound);
    } else {
      end = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, end, bound);
      end = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, end, b_.getInt64(0));
    }
  }
}

void EntryLoops::open_loops() {
  exit_ = BasicBlock::Create(context_, "exit", entry_);
  for (int d = dimensions_; d < 3; ++d) open_loop(d);  // not queried
  for (int d = 0; d + 1 < dimensions_; ++d) open_loop(d);
  if (strip_.function) write_strips(dimensions_ - 1);
  open_loop(dimensions_ - 1);
}

/// for (id = begin; id < begin + strips * step; id += step) runs a strip. Its items are neighbours
/// (step = items of a strip), or by rows every strips-th item (step = 1). The remaining items
/// follow.
void EntryLoops::write_strips(int dim) {
  BasicBlock* head = BasicBlock::Create(context_, "strip_head", entry_, exit_);
  BasicBlock* body = BasicBlock::Create(context_, "strip", entry_, exit_);
  BasicBlock* rest = BasicBlock::Create(context_, "rest", entry_, exit_);
  Value* items = b_.getInt64(static_cast<uint64_t>(strip_.items));
  Value* step = strip_.by_rows ? b_.getInt64(1) : items;
  auto plus = [&](Value* x, Value* y) { return b_.CreateAdd(x, y, "", true, true); };
  auto times = [&](Value* x, Value* y) { return b_.CreateMul(x, y, "", true, true); };
  Value* count = b_.CreateBinaryIntrinsic(llvm::Intrinsic::smax,
                                          b_.CreateNSWSub(end_[dim], begin_[dim]), b_.getInt64(0));
  Value* strips = b_.CreateUDiv(count, items);
  Value* stop = plus(begin_[dim], times(strips, step));
  Value* left = plus(begin_[dim], times(strips, items));
  BasicBlock* before = b_.GetInsertBlock();
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* id = b_.CreatePHI(b_.getInt64Ty(), 2, "first");
  id->addIncoming(begin_[dim], before);
  b_.CreateCondBr(b_.CreateICmpSLT(id, stop), body, rest);
  b_.SetInsertPoint(body);
  sources_.global_id[dim] = id;
  llvm::SmallVector<Value*, 16> arguments = arguments_;
  append_ids(arguments);
  arguments.push_back(strip_.by_rows ? strips : b_.getInt64(1));
  strip_call_ = b_.CreateCall(strip_.function, arguments);
  id->addIncoming(plus(id, step), body);
  b_.CreateBr(head);
  b_.SetInsertPoint(rest);
  begin_[dim] = left;
}

void EntryLoops::open_loop(int dim) {
  BasicBlock* before = b_.GetInsertBlock();
  BasicBlock* skip = depth_ == 0 ? exit_ : loops_[depth_ - 1].latch;
  Loop& loop = loops_[depth_++];
  loop.head = BasicBlock::Create(context_, "items", entry_, exit_);
  loop.latch = BasicBlock::Create(context_, "next", entry_, exit_);
  loop.end = end_[dim];
  b_.CreateCondBr(b_.CreateICmpSLT(begin_[dim], loop.end), loop.head, skip);
  b_.SetInsertPoint(loop.head);
  loop.index = b_.CreatePHI(b_.getInt64Ty(), 2, "id");
  loop.index->addIncoming(begin_[dim], before);
  sources_.global_id[dim] = loop.index;
}

void EntryLoops::close_loops(bool parallel) {
  b_.CreateBr(loops_[depth_ - 1].latch);
  for (int d = depth_ - 1; d >= 0; --d) {
    Loop& loop = loops_[d];
    b_.SetInsertPoint(loop.latch);
    Value* next = b_.CreateAdd(loop.index, b_.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
    loop.index->addIncoming(next, loop.latch);
    llvm::BranchInst* back = b_.CreateCondBr(b_.CreateICmpSLT(next, loop.end), loop.head,
                                             d == 0 ? exit_ : loops_[d - 1].latch);
    back->setMetadata(llvm::LLVMContext::MD_loop, loop_metadata(parallel));
  }
  b_.SetInsertPoint(exit_);
  b_.CreateRetVoid();
}

llvm::MDNode* EntryLoops::loop_metadata(bool parallel) {
  auto named = [&](const char* name, llvm::Metadata* value) {
    llvm::SmallVector<llvm::Metadata*, 2> parts{llvm::MDString::get(context_, name)};
    if (value) parts.push_back(value);
    return llvm::MDNode::get(context_, parts);
  };
  llvm::SmallVector<llvm::Metadata*, 4> parts{nullptr};
  if (parallel) parts.push_back(named("llvm.loop.parallel_accesses", access_group_));
  // Interleaved calls only cause register spills.
  if (calls_math(kernel_))
    parts.push_back(
        named("llvm.loop.interleave.count", llvm::ConstantAsMetadata::get(b_.getInt32(1))));
  llvm::MDNode* id = llvm::MDNode::getDistinct(context_, parts);
  id->replaceOperandWith(0, id);
  return id;
}

void inline_kernel(Function& kernel, llvm::CallInst& call) {
  kernel.setLinkage(Function::InternalLinkage);
  kernel.removeFnAttr(llvm::Attribute::NoInline);
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(call, info);
  kernel.eraseFromParent();
}

}  // namespace hither::compiler
