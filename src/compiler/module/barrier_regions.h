// The parts of a kernel that all items of a group run before any of them goes on.
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

/// Blocks that items run from `entry` on without meeting the others; afterwards all of them go on
/// to the same region. A block can be part of several regions.
struct Region {
  llvm::BasicBlock* entry;
  /// Entry first; each after those that dominate it on the way from the entry.
  llvm::SmallVector<llvm::BasicBlock*, 8> blocks;
  /// Where all items go on, whatever their ways here were; or null, and
  llvm::BasicBlock* join = nullptr;
  /// the block whose terminator, the same for all items, says where they go on or returns.
  llvm::BasicBlock* last = nullptr;

  bool contains(const llvm::BasicBlock* block) const { return members.contains(block); }
  /// Whether an item takes this edge of the kernel without leaving the region.
  bool is_inner(const llvm::BasicBlock* from, const llvm::BasicBlock* to) const {
    return from != last && to != join && contains(from) && contains(to);
  }
  /// A loop without meetings that is one region: a block of items can run all of it before the next
  /// block does, with what it carries from turn to turn in registers.
  bool is_tight_loop() const;
  llvm::DenseSet<const llvm::BasicBlock*> members;
};

/// Control flow that is the same for all items stays outside of regions, branches on which items
/// part are inside of one. Blocks that begin with a meeting (barrier or group function; every
/// meeting begins its block) begin a region. The first region has the function's entry. Throws
/// Error kCompile, with the user's line if it is known, for a meeting that some items may not
/// reach.
std::vector<std::unique_ptr<Region>> find_regions(llvm::Function& f, const Uniformity& uniformity,
                                                  const std::string& source_file);

}  // namespace hither::compiler
