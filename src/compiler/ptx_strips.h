// Several items of a simple kernel in one thread.
#pragma once

#include "compiler/device_entry.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// Items that a thread takes of a kernel in which nothing happens but loads, arithmetic and stores:
/// their loads are under way together, which memory needs to be busy. 1 where that is not so, or
/// an item's work is long. `kernel` has not yet been given a device's words.
int64_t items_of_thread(const llvm::Function& kernel, const target::KernelModule& source);

/// Moves the loads of such a kernel, long ones too, before all that does not lead to an address:
/// mathematical functions come to branch, and assemblers move nothing across branches.
void load_first(llvm::Function& kernel, const target::KernelModule& source);

/// The kernel, whose only block is one item's work, for `count` of them: `item`, `item` + `step`,
/// and so on, those from `size` on left out. `item` and `step` begin the block.
void take_items_together(llvm::Function& kernel, llvm::Instruction& item, llvm::Value& step,
                         llvm::Value& size, int64_t count);

}  // namespace hither::compiler
