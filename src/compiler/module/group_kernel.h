// A kernel with work-groups, rewritten as a function of one group.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include "target/kernel_module.h"

namespace hither::compiler {

/// True when the items of a group meet: barriers, group functions, local memory. Such a kernel is
/// compiled for one local size. `module` is linked.
bool uses_groups(const llvm::Module& module, const target::Signature& signature);

/// Makes a block that returns and nothing else, and leads all ways out of `f` there.
llvm::BasicBlock* unify_returns(llvm::Function& f);

struct GroupKernel {
  /// What its group_id parameters hold.
  enum class Place : uint8_t { kGroupId, kFirstItem };
  llvm::Function* function = nullptr;
  Place place = Place::kGroupId;
  int64_t local_size[3] = {1, 1, 1};
  int64_t sub_group_size = 1;  ///< consecutive items; the last sub-group may be smaller
  bool unroll_items = false;   ///< rather than put them into vectors
  llvm::Argument* group_id[3];
  llvm::Argument* global_size[3];
  llvm::Argument* error;  ///< pointer to the target::ErrorRecord
  llvm::Argument* item_distance =
      nullptr;  ///< of a strip: how far apart items may be; unused so far
  int64_t items() const noexcept { return local_size[0] * local_size[1] * local_size[2]; }
};

/// Replaces the entry of `module` (everything inlined) by a function with seven parameters more, in
/// the order of GroupKernel's members. What a kernel may query about its place becomes arithmetic
/// on them and on hither.local_id, called with constants for dimensions of more than one item
/// alone. It returns in one place; items that raise end there (error_exits.h). Throws Error
/// kCompile when `source` has no local size, kUnsupported where a function that could not be
/// inlined uses the vocabulary.
GroupKernel make_group_kernel(llvm::Module& module, const target::KernelModule& source,
                              int64_t sub_group_size);

/// The same of one kernel that asks for global ids and sizes alone: a group is `items` neighbours
/// in dimension `dim`, and what it is given in place of its id is the global id of the first. An
/// eighth parameter follows, `apart`.
GroupKernel make_strip_kernel(llvm::Function& kernel, int dim, int64_t items);

}  // namespace hither::compiler
