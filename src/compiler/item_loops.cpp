#include "compiler/item_loops.h"

namespace hither::compiler {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

ItemLoops::ItemLoops(const GroupKernel& group)
    : group_(group), context_(group.function->getContext()) {
  for (int d = 0; d < 3; ++d) {
    if (group.local_size[d] == 1) continue;
    BasicBlock* head = BasicBlock::Create(context_, "items", group.function);
    auto* index = llvm::PHINode::Create(llvm::Type::getInt64Ty(context_), 2, "local_id", head);
    loops_.push_back({head, index, d});
  }
}

Value* ItemLoops::id(int dim) const {
  for (const Loop& loop : loops_)
    if (loop.dim == dim) return loop.index;
  return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), 0);
}

Value* ItemLoops::linear_id(IRBuilder<>& b) const {
  Value* linear = id(0);
  for (int d = 1; d < 3; ++d) {
    const auto size = static_cast<uint64_t>(group_.local_size[d]);
    if (size == 1) continue;
    linear = b.CreateMul(linear, b.getInt64(size), "", true, true);
    linear = b.CreateAdd(linear, id(d), "", true, true);
  }
  return linear;
}

void ItemLoops::close(IRBuilder<>& before, BasicBlock* start, BasicBlock* end, BasicBlock* after,
                      llvm::MDNode* access_group) {
  BasicBlock* outside = before.GetInsertBlock();
  before.CreateBr(loops_.empty() ? start : loops_[0].head);
  IRBuilder<> b(context_);
  llvm::SmallVector<BasicBlock*, 3> latches;
  for (size_t k = 0; k < loops_.size(); ++k) {
    b.SetInsertPoint(loops_[k].head);
    b.CreateBr(k + 1 < loops_.size() ? loops_[k + 1].head : start);
    loops_[k].index->addIncoming(b.getInt64(0), k == 0 ? outside : loops_[k - 1].head);
    latches.push_back(BasicBlock::Create(context_, "next", group_.function));
  }
  b.SetInsertPoint(end);
  b.CreateBr(loops_.empty() ? after : latches.back());
  for (size_t k = 0; k < loops_.size(); ++k) {
    const Loop& loop = loops_[k];
    b.SetInsertPoint(latches[k]);
    Value* next = b.CreateAdd(loop.index, b.getInt64(1), "", true, true);
    loop.index->addIncoming(next, latches[k]);
    Value* size = b.getInt64(static_cast<uint64_t>(group_.local_size[loop.dim]));
    llvm::BranchInst* back =
        b.CreateCondBr(b.CreateICmpULT(next, size), loop.head, k == 0 ? after : latches[k - 1]);
    back->setMetadata(llvm::LLVMContext::MD_loop, metadata(access_group));
  }
}

/// Unrolled before it is vectorised, a loop over few items would leave the vectoriser the next
/// one, over items that are not neighbours in memory.
llvm::MDNode* ItemLoops::metadata(llvm::MDNode* access_group) const {
  auto named = [&](const char* name, llvm::ArrayRef<llvm::Metadata*> values = {}) {
    llvm::SmallVector<llvm::Metadata*, 3> parts{llvm::MDString::get(context_, name)};
    parts.append(values.begin(), values.end());
    return llvm::MDNode::get(context_, parts);
  };
  llvm::Metadata* one =
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), 1));
  llvm::SmallVector<llvm::Metadata*, 4> parts{nullptr};
  if (access_group) parts.push_back(named("llvm.loop.parallel_accesses", {access_group}));
  parts.push_back(named("llvm.loop.unroll.disable"));
  // The vector loop is free again.
  parts.push_back(
      named("llvm.loop.vectorize.followup_vectorized", {named("llvm.loop.isvectorized", {one})}));
  llvm::MDNode* id = llvm::MDNode::getDistinct(context_, parts);
  id->replaceOperandWith(0, id);
  return id;
}

void ItemLoops::drop() {
  for (Loop& loop : loops_) {
    loop.index->replaceAllUsesWith(llvm::PoisonValue::get(loop.index->getType()));
    loop.head->eraseFromParent();
  }
  loops_.clear();
}

}  // namespace hither::compiler
