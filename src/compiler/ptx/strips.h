// Runs several items of a simple kernel in one thread.
#pragma once

#include "compiler/device/entry.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// How the items of a thread run.
struct ItemsOfThread {
  int64_t count = 1;
  bool together = false;  ///< each step of a loop for all items
};

/// The number of items for each thread. It is above 1 for a short kernel that consists of loads,
/// arithmetic, branches and stores: the loads of several items in flight use the memory bandwidth
/// better. If all items of a thread run the same loops and share loads in them, they run together.
/// `kernel` still has its intrinsics. `dimensions`: of the range.
ItemsOfThread items_of_thread(const llvm::Function& kernel, const target::KernelModule& source,
                              int dimensions);

/// Whether the items of a thread run in a loop: those of a long kernel, which loads nothing. It
/// starts fewer groups, and computes once what all items have in common.
bool runs_in_loop(const llvm::Function& kernel);

/// Moves the loads of such a kernel, even of a long one, before all instructions that are not
/// needed for addresses. Mathematical functions contain branches, and the assembler does not move
/// loads across branches.
void load_first(llvm::Function& kernel, const target::KernelModule& source);

/// The position of a thread that runs several items, in one dimension.
struct ThreadOfItems {
  llvm::Value* group;       ///< the first item of the group
  llvm::Value* place;       ///< the thread's number in the group
  llvm::Value* step;        ///< the number of threads in the group
  llvm::Instruction* item;  ///< group + place
  llvm::Value* count;       ///< items of a thread
  ItemsOfThread items;      ///< their number unless a launch has a thread for each
  bool in_row;              ///< the range has no other dimension
  bool in_loop;             ///< runs_in_loop() of the kernel before its intrinsics were replaced
};

/// Changes the kernel, which runs one item, to run the items of a thread: `item`, `item` +
/// `step`, and so on, below `size`. If elements are narrower than 32 bits and rows begin at
/// vector boundaries, the items are neighbours instead, so that loads and stores are vectors. The
/// values of `thread` are computed at the beginning of its first block, `item` last. With branches
/// the items run one after another, after the loads of all, unless they run together.
void run_items_in_thread(llvm::Function& kernel, const ThreadOfItems& thread, llvm::Value& size);

}  // namespace hither::compiler
