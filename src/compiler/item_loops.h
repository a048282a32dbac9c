// Loops over the items of a group, last dimension innermost.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/group_kernel.h"

namespace hither::compiler {

/// One loop a dimension that has more than one item. Blocks are made when they are needed, so that
/// they are in the order of their running.
class ItemLoops {
 public:
  explicit ItemLoops(const GroupKernel& group);

  /// Position of the item in a dimension.
  llvm::Value* id(int dim) const;
  /// Its position among the items of the group, computed at the end of the builder's block.
  llvm::Value* linear_id(llvm::IRBuilder<>& b) const;

  /// Connects: from the end of `before` through the loops to `start`, which begins an item, from
  /// `end`, which ends it, to the next one, and at last to `after`. Accesses marked with
  /// `access_group`, if it is not null, are independent between items.
  void close(llvm::IRBuilder<>& before, llvm::BasicBlock* start, llvm::BasicBlock* end,
             llvm::BasicBlock* after, llvm::MDNode* access_group);
  /// Removes what the constructor made; nobody uses the ids.
  void drop();

 private:
  struct Loop {
    llvm::BasicBlock* head;
    llvm::PHINode* index;
    int dim;
  };
  llvm::MDNode* metadata(llvm::MDNode* access_group) const;

  const GroupKernel& group_;
  llvm::LLVMContext& context_;
  llvm::SmallVector<Loop, 3> loops_;
};

}  // namespace hither::compiler
