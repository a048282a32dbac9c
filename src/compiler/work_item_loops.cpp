#include "compiler/work_item_loops.h"

#include <cstddef>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/item_ids.h"
#include "compiler/math_functions.h"
#include "compiler/vocabulary.h"
#include "target/code_image.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Function;
using llvm::IRBuilder;
using llvm::Value;

int dimensions_asked(const llvm::Module& module) {
  int highest = 1;
  for (const Function& f : module) {
    auto word = word_of(f);
    if (!word || *word == Word::kRaise || *word == Word::kBarrier) continue;
    for (const llvm::User* user : f.users()) {
      auto* dim =
          llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::CallInst>(user)->getOperand(0));
      uint64_t asked = dim ? dim->getZExtValue() + 1 : 3;
      highest = std::max<int>(highest, static_cast<int>(std::min<uint64_t>(asked, 3)));
    }
  }
  return highest;
}

bool items_are_independent(const Function& body, bool reports_errors) {
  if (reports_errors) return false;
  for (const llvm::Instruction& i : llvm::instructions(body)) {
    if (i.isAtomic() || i.isVolatile()) return false;
    // A call that we cannot see into could do either.
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
      if (!llvm::isa<llvm::IntrinsicInst>(call) && call->mayReadOrWriteMemory()) return false;
  }
  return true;
}

bool calls_math(const Function& body) {
  for (const llvm::Instruction& i : llvm::instructions(body))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
      if (const Function* callee = call->getCalledFunction(); callee && math_call(*callee))
        return true;
  return false;
}

/// Builds the loop nest and the call of the kernel in its middle.
class NestBuilder {
 public:
  NestBuilder(Function& kernel, int dimensions)
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

  /// The finished function, the kernel not yet inlined.
  Function* build(const target::Signature& signature, bool parallel) {
    llvm::SmallVector<Value*, 16> arguments = load_arguments(signature);
    for (int d = 0; d < 3; ++d) {
      sources_.global_size[d] = load_size(offsetof(target::WorkRange, global_size), d, "size");
      sources_.local_size[d] = load_size(offsetof(target::WorkRange, local_size), d, "local_size");
    }
    for (int d = 0; d < 3; ++d)
      begin_[d] = load_size(offsetof(target::WorkRange, begin), d, "begin");
    for (int d = 0; d < 3; ++d) end_[d] = load_size(offsetof(target::WorkRange, end), d, "end");
    open_loops();
    call_ = b_.CreateCall(&kernel_, arguments);
    close_loops(parallel);
    sources_.error = entry_->getArg(2);
    return entry_;
  }

  llvm::CallInst* call() const noexcept { return call_; }
  const ItemIds& sources() const noexcept { return sources_; }
  llvm::MDNode* access_group() const noexcept { return access_group_; }

 private:
  struct Loop {
    BasicBlock* head;
    BasicBlock* latch;
    llvm::PHINode* index;
    Value* end;
  };

  llvm::LoadInst* invariant(llvm::LoadInst* load) {
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    return load;
  }

  llvm::SmallVector<Value*, 16> load_arguments(const target::Signature& signature) {
    llvm::SmallVector<Value*, 16> values;
    uint64_t offset = 0;
    for (size_t i = 0; i < signature.parameters.size(); ++i) {
      Value* slot = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), entry_->getArg(0), offset);
      values.push_back(invariant(b_.CreateAlignedLoad(
          kernel_.getArg(i)->getType(), slot, llvm::Align(8), kernel_.getArg(i)->getName())));
      offset += (size_of(signature.parameters[i]) + 7) / 8 * 8;
    }
    return values;
  }

  /// Sizes and ids are in [0, 2^63).
  Value* load_size(uint64_t field, int dim, const char* name) {
    Value* at = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), entry_->getArg(1),
                                              field + dim * sizeof(int64_t));
    llvm::LoadInst* load =
        invariant(b_.CreateAlignedLoad(b_.getInt64Ty(), at, llvm::Align(8), name));
    llvm::MDBuilder metadata(context_);
    load->setMetadata(llvm::LLVMContext::MD_range,
                      metadata.createRange(llvm::APInt(64, 0), llvm::APInt::getSignedMinValue(64)));
    return load;
  }

  void open_loops() {
    exit_ = BasicBlock::Create(context_, "exit", entry_);
    for (int d = dimensions_; d < 3; ++d) open_loop(d);  // no id depends on these
    for (int d = 0; d < dimensions_; ++d) open_loop(d);
  }

  void open_loop(int dim) {
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

  void close_loops(bool parallel) {
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

  llvm::MDNode* loop_metadata(bool parallel) {
    auto named = [&](const char* name, llvm::Metadata* value) {
      llvm::SmallVector<llvm::Metadata*, 2> parts{llvm::MDString::get(context_, name)};
      if (value) parts.push_back(value);
      return llvm::MDNode::get(context_, parts);
    };
    llvm::SmallVector<llvm::Metadata*, 4> parts{nullptr};
    if (parallel) parts.push_back(named("llvm.loop.parallel_accesses", access_group_));
    // Side by side, calls only spill each other's registers.
    if (calls_math(kernel_))
      parts.push_back(
          named("llvm.loop.interleave.count", llvm::ConstantAsMetadata::get(b_.getInt32(1))));
    llvm::MDNode* id = llvm::MDNode::getDistinct(context_, parts);
    id->replaceOperandWith(0, id);
    return id;
  }

  Function& kernel_;
  int dimensions_;
  llvm::LLVMContext& context_;
  IRBuilder<> b_;
  Function* entry_;
  BasicBlock* exit_ = nullptr;
  Loop loops_[3];
  int depth_ = 0;
  Value* begin_[3];
  Value* end_[3];
  ItemIds sources_;
  llvm::CallInst* call_ = nullptr;
  llvm::MDNode* access_group_;
};

/// Only what a pointer argument leads to: private arrays are reused by the next item, so their
/// accesses are not independent.
void mark_global_accesses(Function& f, llvm::MDNode* group) {
  constexpr unsigned kGlobal = 1;
  for (llvm::Instruction& i : llvm::instructions(f)) {
    bool global = false;
    if (const Value* pointer = llvm::getLoadStorePointerOperand(&i)) {
      global = pointer->getType()->getPointerAddressSpace() == kGlobal;
    } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&i)) {
      global = copy->getDestAddressSpace() == kGlobal && copy->getSourceAddressSpace() == kGlobal;
    } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&i)) {
      global = set->getDestAddressSpace() == kGlobal;
    }
    if (global) i.setMetadata(llvm::LLVMContext::MD_access_group, group);
  }
}

}  // namespace

LoopedKernel work_item_loops(llvm::Module& module, const target::KernelModule& source) {
  Function& kernel = *module.getFunction(source.entry);
  LoopedKernel result;
  const Function* raise = module.getFunction("hither.raise");
  result.reports_errors = raise && !raise->use_empty();
  result.dimensions = dimensions_asked(module);
  result.parallel = items_are_independent(kernel, result.reports_errors);
  NestBuilder nest(kernel, result.dimensions);
  result.entry = nest.build(source.signature, result.parallel);
  if (result.parallel) mark_global_accesses(kernel, nest.access_group());
  kernel.setLinkage(Function::InternalLinkage);
  kernel.removeFnAttr(llvm::Attribute::NoInline);
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*nest.call(), info);
  kernel.eraseFromParent();
  replace_words(*result.entry, nest.sources(), source.entry);
  return result;
}

}  // namespace hither::compiler
