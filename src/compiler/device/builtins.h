// A device's builtins for index queries, barriers and shuffles.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/module/intrinsics.h"

namespace hither::compiler {

/// Emits builtins of a device at the builder's position.
class DeviceBuiltins {
 public:
  virtual ~DeviceBuiltins() = default;
  /// i64: the index query `intrinsic` for hither's dimension `dim`, which is `device_dim` on the
  /// device.
  virtual llvm::Value* index_query(llvm::IRBuilder<>& b, Intrinsic intrinsic, int dim,
                                   int device_dim) = 0;
  /// i32: the sub-group query `intrinsic`.
  virtual llvm::Value* sub_group_query(llvm::IRBuilder<>& b, Intrinsic intrinsic) = 0;
  /// A barrier of the group; `fence` as in hither.barrier.
  virtual void barrier(llvm::IRBuilder<>& b, llvm::Value* fence) = 0;
  virtual void sub_group_barrier(llvm::IRBuilder<>& b, llvm::Value* fence) = 0;
  /// The `value`, i32 or i64, of the lane `from` (i32), which must exist.
  virtual llvm::Value* shuffled(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* from) = 0;
};

}  // namespace hither::compiler
