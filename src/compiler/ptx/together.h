// Runs the items of a thread together, step by step.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/BasicBlock.h>
#include <llvm/IR/Instruction.h>

namespace hither::compiler {

using Blocks = llvm::SmallVector<llvm::BasicBlock*, 16>;
using Varying = llvm::SmallPtrSet<const llvm::Instruction*, 32>;

/// The values that depend on one of these, if no branch does.
Varying depending_on(llvm::SmallVector<const llvm::Instruction*, 32> pending);

/// Appends a copy of the kernel to the block `to`, whose instructions that depend on the item are
/// there for each of the `items`. Returns the blocks that go to `otherwise` where not all items
/// take the same way.
Blocks copy_together(llvm::ArrayRef<llvm::Value*> items, const llvm::Instruction& item,
                     const Blocks& blocks, llvm::BasicBlock* to, llvm::BasicBlock* otherwise);

}  // namespace hither::compiler
