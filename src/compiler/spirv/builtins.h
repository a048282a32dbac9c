// OpenCL's words for where an item is.
#pragma once

#include "compiler/device/builtins.h"
#include "compiler/device/entry.h"

namespace hither::compiler {

class SpirvWords final : public DeviceWords {
 public:
  llvm::Value* place(llvm::IRBuilder<>& b, Word word, int dim, int theirs) override;
  llvm::Value* in_sub_group(llvm::IRBuilder<>& b, Word word) override;
  void wait(llvm::IRBuilder<>& b, llvm::Value* fence) override;
  void wait_in_sub_group(llvm::IRBuilder<>& b, llvm::Value* fence) override;
  llvm::Value* shuffled(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Value* from) override;
};

/// Makes the entry of `module` one that a SPIR-V device starts: complex numbers come as vectors of
/// two, a pointer to the ErrorRecord last where the kernel raises.
DeviceEntry make_spirv_entry(llvm::Module& module, const target::KernelModule& source,
                             bool in_groups);

}  // namespace hither::compiler
