// The CPU for which code is generated.
#pragma once

#include <memory>
#include <string>

#include <llvm/Target/TargetMachine.h>

namespace hither::compiler {

/// LLVM's target machine for a CPU name, or for this machine's CPU if `arch` is empty. Throws Error
/// kCompile for a name that LLVM does not know.
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

/// The calling thread's machine for `arch`, which is made at the first call and destroyed when the
/// thread ends: making one takes a tenth of the time of compiling a small kernel. Throws as the
/// constructor does.
const CpuMachine& cpu_machine(const std::string& arch);

/// Triple, CPU and features in one line: everything that code for `arch` depends on. Cheap.
std::string cpu_identity(const std::string& arch);

}  // namespace hither::compiler
