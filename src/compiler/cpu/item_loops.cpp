#include "compiler/cpu/item_loops.h"

#include <algorithm>

namespace hither::compiler {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

namespace {

/// Four vectors of 32-bit values at 512 bits. This hides the latency of arithmetic and still fits
/// into registers.
constexpr int64_t kItemsOfBlock = 64;

int64_t largest_divisor(int64_t n, int64_t at_most) {
  for (int64_t d = std::min(n, at_most); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

}  // namespace

ItemLoops::ItemLoops(const GroupKernel& group, bool in_blocks)
    : group_(group), context_(group.function->getContext()) {
  // The number of items of each dimension in a block, from the innermost dimension on.
  int64_t part[3], room = in_blocks ? kItemsOfBlock : group.items();
  for (int d = 2; d >= 0; --d) {
    part[d] = largest_divisor(group.local_size[d], room);
    room = part[d] == group.local_size[d] ? room / part[d] : 1;
  }
  constexpr int64_t kFewest = 16;
  if (part[0] * part[1] * part[2] < kFewest) std::ranges::copy(group.local_size, part);
  for (int d = 0; d < 3; ++d) add(d, group.local_size[d] / part[d], part[d]);
  blocks_ = loops_.size();
  for (int d = 0; d < 3; ++d) add(d, part[d], 1);
}

void ItemLoops::add(int dim, int64_t count, int64_t step) {
  if (count == 1) return;
  BasicBlock* head = BasicBlock::Create(context_, "items", group_.function);
  auto* index = llvm::PHINode::Create(llvm::Type::getInt64Ty(context_), 2, "local_id", head);
  loops_.push_back({head, index, dim, count, step});
}

Value* ItemLoops::id(IRBuilder<>& b, int dim) {
  if (ids_[dim]) return ids_[dim];
  Value* id = nullptr;
  for (const Loop& loop : loops_) {
    if (loop.dim != dim) continue;
    Value* part =
        loop.step == 1
            ? loop.index
            : b.CreateMul(loop.index, b.getInt64(static_cast<uint64_t>(loop.step)), "", true, true);
    id = id ? b.CreateAdd(id, part, "", true, true) : part;
  }
  return ids_[dim] = id ? id : b.getInt64(0);
}

Value* ItemLoops::linear_id(IRBuilder<>& b) {
  if (linear_) return linear_;
  Value* linear = id(b, 0);
  for (int d = 1; d < 3; ++d) {
    const auto size = static_cast<uint64_t>(group_.local_size[d]);
    if (size == 1) continue;
    linear = b.CreateMul(linear, b.getInt64(size), "", true, true);
    linear = b.CreateAdd(linear, id(b, d), "", true, true);
  }
  return linear_ = linear;
}

void ItemLoops::close_items(IRBuilder<>& before, BasicBlock* start, BasicBlock* end,
                            BasicBlock* after, llvm::MDNode* access_group) {
  close(llvm::ArrayRef(loops_).drop_front(blocks_), before, start, end, after, access_group);
}

void ItemLoops::close_blocks(IRBuilder<>& before, BasicBlock* start, BasicBlock* end,
                             BasicBlock* after) {
  close(llvm::ArrayRef(loops_).take_front(blocks_), before, start, end, after, nullptr);
}

void ItemLoops::close(llvm::ArrayRef<Loop> loops, IRBuilder<>& before, BasicBlock* start,
                      BasicBlock* end, BasicBlock* after, llvm::MDNode* access_group) {
  const bool of_blocks = loops.data() == loops_.data() && blocks_ > 0;
  BasicBlock* outside = before.GetInsertBlock();
  before.CreateBr(loops.empty() ? start : loops[0].head);
  IRBuilder<> b(context_);
  llvm::SmallVector<BasicBlock*, 3> latches;
  for (size_t k = 0; k < loops.size(); ++k) {
    b.SetInsertPoint(loops[k].head);
    b.CreateBr(k + 1 < loops.size() ? loops[k + 1].head : start);
    loops[k].index->addIncoming(b.getInt64(0), k == 0 ? outside : loops[k - 1].head);
    latches.push_back(BasicBlock::Create(context_, "next", group_.function));
  }
  b.SetInsertPoint(end);
  b.CreateBr(loops.empty() ? after : latches.back());
  for (size_t k = 0; k < loops.size(); ++k) {
    b.SetInsertPoint(latches[k]);
    Value* next = b.CreateAdd(loops[k].index, b.getInt64(1), "", true, true);
    loops[k].index->addIncoming(next, latches[k]);
    Value* more = b.CreateICmpULT(next, b.getInt64(static_cast<uint64_t>(loops[k].count)));
    llvm::BranchInst* back = b.CreateCondBr(more, loops[k].head, k == 0 ? after : latches[k - 1]);
    // The rows of a block are unrolled, so that they stay in registers.
    const bool row = has_blocks() && !of_blocks && k + 1 < loops.size();
    const bool fully = row || group_.unroll_items;
    back->setMetadata(
        llvm::LLVMContext::MD_loop,
        metadata(access_group, fully ? Unroll::kFully : Unroll::kNever, loops[k].count));
  }
}

/// Unrolling is disabled before vectorisation. If a loop over few items were unrolled, the
/// vectoriser would take the next outer loop, whose items are not adjacent in memory. Only loops
/// without atomics have to be vectorised: with this request LLVM may reorder a sum of floats.
llvm::MDNode* ItemLoops::metadata(llvm::MDNode* access_group, Unroll unroll, int64_t count) const {
  auto named = [&](const char* name, llvm::ArrayRef<llvm::Metadata*> values = {}) {
    llvm::SmallVector<llvm::Metadata*, 3> parts{llvm::MDString::get(context_, name)};
    parts.append(values.begin(), values.end());
    return llvm::MDNode::get(context_, parts);
  };
  llvm::Metadata* one =
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context_), 1));
  llvm::SmallVector<llvm::Metadata*, 4> parts{nullptr};
  if (access_group) parts.push_back(named("llvm.loop.parallel_accesses", {access_group}));
  parts.push_back(
      named(unroll == Unroll::kFully ? "llvm.loop.unroll.full" : "llvm.loop.unroll.disable"));
  llvm::SmallVector<llvm::Metadata*, 2> vectorised{named("llvm.loop.isvectorized", {one})};
  if (group_.lanes > 0 && access_group && unroll == Unroll::kNever) {
    auto number = [&](llvm::IntegerType* type, int64_t value) {
      return llvm::ConstantAsMetadata::get(
          llvm::ConstantInt::get(type, static_cast<uint64_t>(value)));
    };
    parts.push_back(
        named("llvm.loop.vectorize.enable", {number(llvm::Type::getInt1Ty(context_), 1)}));
    parts.push_back(named("llvm.loop.vectorize.width",
                          {number(llvm::Type::getInt32Ty(context_), group_.lanes)}));
    constexpr int64_t kMostUnrolledVectors = 8;
    if (count <= kMostUnrolledVectors * group_.lanes)
      vectorised.push_back(named("llvm.loop.unroll.full"));
  }
  // The vectorised loop may be unrolled.
  parts.push_back(named("llvm.loop.vectorize.followup_vectorized", vectorised));
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
