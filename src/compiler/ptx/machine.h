// LLVM's NVPTX machine for one architecture.
#pragma once

#include <memory>
#include <string>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace hither::compiler {

/// Writes PTX 8.0, which drivers of CUDA 12.0 and later read.
class PtxMachine {
 public:
  /// `arch` is a device's, such as "sm_90": code is for the newest one up to it that LLVM knows.
  /// Throws Error kCompile for what is no architecture, or one before sm_70.
  explicit PtxMachine(const std::string& arch);

  const std::string& triple() const noexcept { return triple_; }
  std::string layout() const;
  /// LLVM's own O3 for the machine.
  void optimise(llvm::Module& module) const;
  std::string emit(llvm::Module& module) const;

 private:
  const std::string triple_ = "nvptx64-nvidia-cuda";
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace hither::compiler
