// CUDA's builtins for index queries, barriers and shuffles.
#pragma once

#include "compiler/device/builtins.h"
#include "compiler/device/entry.h"

namespace hither::compiler {

/// Sub-groups are warps. `sizes` are the global sizes of the launch by hither's dimensions, for
/// kernels without groups: the grid is rounded up to whole blocks and does not tell them. Empty for
/// kernels with groups.
class PtxBuiltins final : public DeviceBuiltins {
 public:
  /// `items` is the number of items of each group where groups have one dimension and the number is
  /// known; else 0.
  explicit PtxBuiltins(llvm::ArrayRef<llvm::Value*> sizes, int64_t items = 0)
      : sizes_(sizes.begin(), sizes.end()), items_(static_cast<uint32_t>(items)) {}
  /// Sets the global id of the device's dimension `dimension`.
  void set_item(llvm::Value* item, int dimension) noexcept {
    item_ = item;
    dimension_of_item_ = dimension;
  }
  llvm::Value* index_query(llvm::IRBuilder<>& b, Intrinsic intrinsic, int dim,
                           int device_dim) override;
  llvm::Value* sub_group_query(llvm::IRBuilder<>& b, Intrinsic intrinsic) override;
  void barrier(llvm::IRBuilder<>& b, llvm::Value* fence) override;
  void sub_group_barrier(llvm::IRBuilder<>& b, llvm::Value* fence) override;
  llvm::Value* shuffled(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* from) override;

 private:
  llvm::SmallVector<llvm::Value*, 3> sizes_;
  uint32_t items_;
  llvm::Value* item_ = nullptr;
  int dimension_of_item_ = 0;
};

/// The number of items of all groups of a kernel of `dimensions` dimensions, if it is known and
/// they have one dimension; else 0.
int64_t items_of_row_groups(const target::KernelModule& source, int dimensions);

/// Turns the entry of `module` into a CUDA kernel as target/code_image.h describes it.
DeviceEntry make_ptx_entry(llvm::Module& module, const target::KernelModule& source,
                           bool in_groups);

/// Replaces the local size by the known one, if it is known. Loops over a group then have a known
/// trip count.
void fold_local_size(llvm::Function& kernel, const target::KernelModule& source, int dimensions);

}  // namespace hither::compiler
