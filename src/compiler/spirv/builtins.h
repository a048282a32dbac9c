// OpenCL's builtins for index queries, barriers and shuffles.
#pragma once

#include "compiler/device/builtins.h"
#include "compiler/device/entry.h"

namespace hither::compiler {

class SpirvBuiltins final : public DeviceBuiltins {
 public:
  llvm::Value* index_query(llvm::IRBuilder<>& b, Intrinsic intrinsic, int dim,
                           int device_dim) override;
  llvm::Value* sub_group_query(llvm::IRBuilder<>& b, Intrinsic intrinsic) override;
  void barrier(llvm::IRBuilder<>& b, llvm::Value* fence) override;
  void sub_group_barrier(llvm::IRBuilder<>& b, llvm::Value* fence) override;
  llvm::Value* shuffled(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* from) override;
};

/// Turns the entry of `module` into a SPIR-V kernel: complex numbers are passed as vectors of two,
/// and a pointer to the ErrorRecord comes last if the kernel raises.
DeviceEntry make_spirv_entry(llvm::Module& module, const target::KernelModule& source,
                             bool in_groups);

}  // namespace hither::compiler
