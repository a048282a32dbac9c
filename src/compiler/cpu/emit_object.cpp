#include "compiler/cpu/emit_object.h"

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/module/diagnostics.h"

namespace hither::compiler {
namespace {

llvm::SmallVector<char, 0> emit(llvm::Module& module, const CpuMachine& machine,
                                llvm::CodeGenFileType type) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine.llvm().addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    refuse("code generation",
           "LLVM cannot emit this file type for " + machine.llvm().getTargetTriple().str());
  passes.run(module);
  return bytes;
}

}  // namespace

std::vector<char> emit_object(llvm::Module& module, const CpuMachine& machine) {
  auto bytes = emit(module, machine, llvm::CodeGenFileType::ObjectFile);
  return {bytes.begin(), bytes.end()};
}

std::string emit_assembly(llvm::Module& module, const CpuMachine& machine) {
  auto bytes = emit(module, machine, llvm::CodeGenFileType::AssemblyFile);
  return {bytes.begin(), bytes.end()};
}

}  // namespace hither::compiler
