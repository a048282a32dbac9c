// Rewrites a kernel with work-groups as a function of one group.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include "target/kernel_module.h"

namespace hither::compiler {

/// True for a kernel with barriers, group functions or local memory. Such a kernel is compiled for
/// one local size. `module` is linked.
bool uses_groups(const llvm::Module& module, const target::Signature& signature);

/// Replaces all returns of `f` by branches to a new block that only returns. Returns this block.
llvm::BasicBlock* unify_returns(llvm::Function& f);

struct GroupKernel {
  /// The meaning of the group_id parameters.
  enum class Place : uint8_t { kGroupId, kFirstItem };
  llvm::Function* function = nullptr;
  Place place = Place::kGroupId;
  int64_t local_size[3] = {1, 1, 1};
  int64_t sub_group_size = 1;  ///< consecutive items; the last sub-group may be smaller
  bool unroll_items = false;   ///< instead of vectorising over them
  int64_t lanes = 0;           ///< items that LLVM has to compute in one vector; 0: it chooses
  llvm::Argument* group_id[3];
  llvm::Argument* global_size[3];
  llvm::Argument* error;                    ///< pointer to the target::ErrorRecord
  llvm::Argument* item_distance = nullptr;  ///< of a strip; the function does not use it yet
  int64_t items() const noexcept { return local_size[0] * local_size[1] * local_size[2]; }
};

/// Replaces the entry of `module` (everything inlined) by a function with seven more parameters, in
/// the order of GroupKernel's members. Index queries become arithmetic on these parameters and on
/// hither.local_id. The remaining calls of hither.local_id have constant dimensions of more than
/// one item. The function has one return, and items that raise end there (error_exits.h). Throws
/// Error kCompile if `source` has no local size, and kUnsupported if a function that could not be
/// inlined calls an intrinsic.
GroupKernel make_group_kernel(llvm::Module& module, const target::KernelModule& source,
                              int64_t sub_group_size);

/// The same for a kernel that queries only global ids and sizes. A group is a strip of `items`
/// neighbours in dimension `dim`, and its id parameter holds the global id of the first item. There
/// is an eighth parameter, `item_distance`.
GroupKernel make_strip_kernel(llvm::Function& kernel, int dim, int64_t items);

}  // namespace hither::compiler
