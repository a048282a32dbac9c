// The work-item vocabulary, replaced by values.
#pragma once

#include <string>

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Where a work-item finds what it may query for: one value a dimension, all of them dominating its
/// code.
struct ItemIds {
  llvm::Value* global_id[3];
  llvm::Value* global_size[3];
  llvm::Value* local_size[3];
  llvm::Value* error;  ///< pointer to the target::ErrorRecord
};

/// `void hither_record(ErrorRecord*, i32 code, i32 line, i64 id0, id1, id2)`, added to `module`: of
/// the items that call it the first one's report is kept.
llvm::Function* make_error_recorder(llvm::Module& module);

/// Replaces every hither.* call in `f` and removes the declarations. A dimension that is no
/// constant is selected at run time. Throws Error kUnsupported naming `kernel` when another
/// function still calls one of them, which only recursion can bring about.
void replace_intrinsics(llvm::Function& f, const ItemIds& ids, const std::string& kernel);

}  // namespace hither::compiler
