// Several items of a simple kernel in one thread.
#pragma once

#include "compiler/device/entry.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// Items that a thread takes of a kernel in which nothing happens but loads, arithmetic and stores:
/// what they query of memory is under way together, which keeps it busy. 1 where that is not so, or
/// an item's work is long. `kernel` has not yet been given a device's words.
int64_t items_of_thread(const llvm::Function& kernel, const target::KernelModule& source);

/// Moves the loads of such a kernel, long ones too, before all that does not lead to an address:
/// mathematical functions come to branch, and assemblers move nothing across branches.
void load_first(llvm::Function& kernel, const target::KernelModule& source);

/// A thread of a kernel that takes several items, beside others of its group.
struct ThreadOfItems {
  llvm::Value* group;       ///< the group's first item
  llvm::Value* place;       ///< the thread's number in the group
  llvm::Value* step;        ///< threads of a group
  llvm::Instruction* item;  ///< group + place
  int64_t count;            ///< items of a thread
};

/// The kernel, whose only block is one item's work, for those of a thread: `item`, `item` + `step`,
/// and so on, those from `size` on left out. Elements narrower than 32 bits, in rows that begin at
/// whole vectors, are taken side by side: so they come and go in vectors. `thread` is computed
/// where the block begins, `item` last.
void run_items_in_thread(llvm::Function& kernel, const ThreadOfItems& thread, llvm::Value& size);

}  // namespace hither::compiler
