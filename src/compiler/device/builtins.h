// How a kind of device says where an item is, and makes items wait for each other.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/module/intrinsics.h"

namespace hither::compiler {

/// Writes a device's own words where the builder stands.
class DeviceBuiltins {
 public:
  virtual ~DeviceBuiltins() = default;
  /// i64: the answer to `word`, one that asks for a place, in our dimension `dim`, which is
  /// `theirs` on the device.
  virtual llvm::Value* index_query(llvm::IRBuilder<>& b, Intrinsic intrinsic, int dim,
                                   int device_dim) = 0;
  /// i32: the answer to `word`, one that asks for a sub-group.
  virtual llvm::Value* sub_group_query(llvm::IRBuilder<>& b, Intrinsic intrinsic) = 0;
  /// All items of the group wait here; `fence` as in hither.barrier.
  virtual void barrier(llvm::IRBuilder<>& b, llvm::Value* fence) = 0;
  virtual void sub_group_barrier(llvm::IRBuilder<>& b, llvm::Value* fence) = 0;
  /// The `value`, i32 or i64, of the lane `from` (i32), which exists.
  virtual llvm::Value* shuffled(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* from) = 0;
};

}  // namespace hither::compiler
