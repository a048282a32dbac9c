// Regions: the parts of a kernel between two synchronisation points of a group.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

#include "compiler/module/uniformity.h"

namespace hither::compiler {

/// Blocks that items run from `entry` on without a convergent operation in between. Afterwards all
/// items continue in the same region. A block can be part of several regions.
struct Region {
  llvm::BasicBlock* entry;
  /// The entry is first. Each block follows the blocks of the region that dominate it.
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
  /// The block where all items continue, or null. If it is null,
  llvm::BasicBlock* join = nullptr;
  /// `last` is the block whose uniform terminator selects the next region or returns.
  llvm::BasicBlock* last = nullptr;

  bool contains(const llvm::BasicBlock* block) const { return members.contains(block); }
  /// Whether an item stays in the region when it takes this edge of the kernel.
  bool is_inner(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const {
    return from != last && to != join && contains(from) && contains(to);
  }
  /// A loop without convergent operations that is one region. A block of items can run the whole
  /// loop before the next block does, so that the loop's phis stay in registers.
  bool is_tight_loop() const;
  llvm::DenseSet<const llvm::BasicBlock*> members;
};

/// Divides `f` into regions. Uniform control flow lies between regions, divergent branches lie
/// inside them. Each block that begins with a convergent operation begins a region; every
/// convergent operation must begin its block. The first region begins at the function's entry.
/// Throws Error kCompile, with the user's line if it is known, for a convergent operation that some
/// items may not reach.
std::vector<std::unique_ptr<Region>> find_regions(llvm::Function& f, const Uniformity& uniformity,
                                                  const std::string& source_file);

}  // namespace hither::compiler
