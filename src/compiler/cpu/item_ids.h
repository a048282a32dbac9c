// Replaces the intrinsics of a kernel without work-groups by values.
#pragma once

#include <string>

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// The values of the index queries, one for each dimension. All of them dominate the item's code.
struct ItemIds {
  llvm::Value* global_id[3];
  llvm::Value* global_size[3];
  llvm::Value* local_size[3];
  llvm::Value* error;  ///< pointer to the target::ErrorRecord
};

/// Adds `void hither_record(ErrorRecord*, i32 code, i32 line, i64 id0, id1, id2)` to `module`. The
/// first call stores the record, later ones do nothing.
llvm::Function* make_error_recorder(llvm::Module& module);

/// Replaces every hither.* call in `f` and removes the declarations. A dimension that is not
/// constant is selected at run time. Throws Error kUnsupported naming `kernel` if another function,
/// which must be recursive, still calls an intrinsic.
void replace_intrinsics(llvm::Function& f, const ItemIds& ids, const std::string& kernel);

}  // namespace hither::compiler
