// LLVM's NVPTX target machine for one architecture.
#pragma once

#include <memory>
#include <string>

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace hither::compiler {

/// Emits PTX 8.0, which drivers of CUDA 12.0 and later accept.
class PtxMachine {
 public:
  /// `arch` is the architecture of a device, such as "sm_90". Code is generated for the newest
  /// architecture up to it that LLVM knows. Throws Error kCompile for other strings, and for
  /// architectures before sm_70.
  explicit PtxMachine(const std::string& arch);

  const std::string& triple() const noexcept { return triple_; }
  std::string layout() const;
  /// Runs LLVM's O3 pipeline for the machine.
  void optimise(llvm::Module& module) const;
  std::string emit(llvm::Module& module) const;

 private:
  const std::string triple_ = "nvptx64-nvidia-cuda";
  std::unique_ptr<llvm::TargetMachine> machine_;
};

}  // namespace hither::compiler
