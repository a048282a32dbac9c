// The CPU that code is generated for.
#pragma once

#include <memory>
#include <string>

#include <llvm/Target/TargetMachine.h>

namespace hither::compiler {

/// LLVM's machine for a CPU name, or for the processor that runs us when `arch` is empty. Throws
/// Error kCompile for a name that LLVM does not know.
class CpuMachine {
 public:
  explicit CpuMachine(const std::string& arch);
  llvm::TargetMachine& llvm() const noexcept { return *machine_; }
  /// Width of the widest vector register in bits: 128, 256 or 512.
  int vector_bits() const noexcept { return vector_bits_; }

 private:
  std::unique_ptr<llvm::TargetMachine> machine_;
  int vector_bits_;
};

/// What code for `arch` depends on, in one line: triple, CPU, features. Cheap.
std::string cpu_identity(const std::string& arch);

}  // namespace hither::compiler
