// Loops over the items of a group, last dimension innermost.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/module/group_kernel.h"

namespace hither::compiler {

/// One loop for each dimension with more than one item. Loops can be tiled: the outer loops run
/// over blocks of neighbouring items, the inner ones over the items of a block.
class ItemLoops {
 public:
  /// `in_blocks`: tile into blocks of a few vectors, if the group has more items than that.
  ItemLoops(const GroupKernel& group, bool in_blocks);

  bool has_blocks() const noexcept { return blocks_ > 0; }
  /// The item's id in a dimension. Instructions are added at the end of the builder's block.
  llvm::Value* id(llvm::IRBuilder<>& b, int dim);
  /// The item's linear id in the group.
  llvm::Value* linear_id(llvm::IRBuilder<>& b);

  /// Connects the loops over items (of a block, if there are blocks). `before` branches to `start`,
  /// where an item begins. `end`, where an item ends, branches to the next item and after the last
  /// one to `after`. Accesses with `access_group`, unless it is null, are independent between
  /// items.
  void close_items(llvm::IRBuilder<>& before, llvm::BasicBlock* start, llvm::BasicBlock* end,
                   llvm::BasicBlock* after, llvm::MDNode* access_group);
  /// The same for the loops over blocks.
  void close_blocks(llvm::IRBuilder<>& before, llvm::BasicBlock* start, llvm::BasicBlock* end,
                    llvm::BasicBlock* after);
  /// Removes the loops; the ids must have no uses.
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
  llvm::MDNode* metadata(llvm::MDNode* access_group, Unroll unroll, int64_t count) const;

  const GroupKernel& group_;
  llvm::LLVMContext& context_;
  llvm::SmallVector<Loop, 4> loops_;
  size_t blocks_ = 0;  ///< the first loops, over blocks
  llvm::Value* ids_[3] = {nullptr, nullptr, nullptr};
  llvm::Value* linear_ = nullptr;
};

}  // namespace hither::compiler
