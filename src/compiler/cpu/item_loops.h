// Loops over the items of a group, last dimension innermost.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/module/group_kernel.h"

namespace hither::compiler {

/// One loop a dimension that has more than one item. They may be cut in two: loops over blocks of
/// neighbouring items, and loops over the items of a block.
class ItemLoops {
 public:
  /// `in_blocks`: blocks of a few vectors, if the group has more items than that.
  ItemLoops(const GroupKernel& group, bool in_blocks);

  bool has_blocks() const noexcept { return blocks_ > 0; }
  /// Position of the item in a dimension; adds what it takes at the end of the builder's block.
  llvm::Value* id(llvm::IRBuilder<>& b, int dim);
  /// Its position among the items of the group.
  llvm::Value* linear_id(llvm::IRBuilder<>& b);

  /// Connects the loops over items (of a block, if there are blocks): from the end of `before` to
  /// `start`, which begins an item, from `end`, which ends it, to the next one, and at last to
  /// `after`. Accesses marked with `access_group`, if it is not null, are independent between
  /// items.
  void close_items(llvm::IRBuilder<>& before, llvm::BasicBlock* start, llvm::BasicBlock* end,
                   llvm::BasicBlock* after, llvm::MDNode* access_group);
  /// The same for the loops over blocks.
  void close_blocks(llvm::IRBuilder<>& before, llvm::BasicBlock* start, llvm::BasicBlock* end,
                    llvm::BasicBlock* after);
  /// Removes what the constructor made; nobody uses the ids.
  void drop();

 private:
  struct Loop {
    llvm::BasicBlock* head;
    llvm::PHINode* index;
    int dim;
    int64_t count;
    int64_t step;  ///< of the dimension's id
  };
  enum class Unroll : uint8_t { kNever, kFully };

  void add(int dim, int64_t count, int64_t step);
  void close(llvm::ArrayRef<Loop> loops, llvm::IRBuilder<>& before, llvm::BasicBlock* start,
             llvm::BasicBlock* end, llvm::BasicBlock* after, llvm::MDNode* access_group);
  llvm::MDNode* metadata(llvm::MDNode* access_group, Unroll unroll) const;

  const GroupKernel& group_;
  llvm::LLVMContext& context_;
  llvm::SmallVector<Loop, 4> loops_;
  size_t blocks_ = 0;  ///< so many of the loops are over blocks
  llvm::Value* ids_[3] = {nullptr, nullptr, nullptr};
  llvm::Value* linear_ = nullptr;
};

}  // namespace hither::compiler
