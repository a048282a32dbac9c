// CUDA's words for where an item is.
#pragma once

#include "compiler/device/builtins.h"
#include "compiler/device/entry.h"

namespace hither::compiler {

/// Sub-groups are warps. `sizes` are those of the launch in our dimensions, for kernels without
/// groups; the grid, which is rounded up to whole blocks, knows them not. Empty in kernels with.
class PtxBuiltins final : public DeviceBuiltins {
 public:
  explicit PtxBuiltins(llvm::ArrayRef<llvm::Value*> sizes) : sizes_(sizes.begin(), sizes.end()) {}
  /// What the first dimension's global id is from now on.
  void set_item(llvm::Value* item) noexcept { item_ = item; }
  llvm::Value* index_query(llvm::IRBuilder<>& b, Intrinsic intrinsic, int dim,
                           int device_dim) override;
  llvm::Value* sub_group_query(llvm::IRBuilder<>& b, Intrinsic intrinsic) override;
  void barrier(llvm::IRBuilder<>& b, llvm::Value* fence) override;
  void sub_group_barrier(llvm::IRBuilder<>& b, llvm::Value* fence) override;
  llvm::Value* shuffled(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* from) override;

 private:
  llvm::SmallVector<llvm::Value*, 3> sizes_;
  llvm::Value* item_ = nullptr;
};

/// Makes the entry of `module` one that a CUDA device starts, as target/code_image.h tells drivers.
DeviceEntry make_ptx_entry(llvm::Module& module, const target::KernelModule& source,
                           bool in_groups);

}  // namespace hither::compiler
