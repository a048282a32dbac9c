// How a kind of device says where an item is, and makes items wait for each other.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/module/intrinsics.h"

namespace hither::compiler {

/// Writes a device's own words where the builder stands.
class DeviceWords {
 public:
  virtual ~DeviceWords() = default;
  /// i64: the answer to `word`, one that asks for a place, in our dimension `dim`, which is
  /// `theirs` on the device.
  virtual llvm::Value* place(llvm::IRBuilder<>& b, Word word, int dim, int theirs) = 0;
  /// i32: the answer to `word`, one that asks for a sub-group.
  virtual llvm::Value* in_sub_group(llvm::IRBuilder<>& b, Word word) = 0;
  /// All items of the group wait here; `fence` as in hither.barrier.
  virtual void wait(llvm::IRBuilder<>& b, llvm::Value* fence) = 0;
  virtual void wait_in_sub_group(llvm::IRBuilder<>& b, llvm::Value* fence) = 0;
  /// The `value`, i32 or i64, of the lane `from` (i32), which exists.
  virtual llvm::Value* shuffled(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* from) = 0;
};

}  // namespace hither::compiler
