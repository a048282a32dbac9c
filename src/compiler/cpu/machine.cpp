#include "compiler/cpu/machine.h"

#include <unordered_map>

#include <fmt/format.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

#include "compiler/module/diagnostics.h"

namespace hither::compiler {
namespace {

struct Host {
  std::string triple, cpu, features;
};

const Host& host() {
  static const Host found = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    Host h{llvm::sys::getProcessTriple(), llvm::sys::getHostCPUName().str(), ""};
    llvm::SubtargetFeatures features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.getKey(), feature.getValue());
    // Loads of single elements are faster than the instructions that gather (record 0005).
    if (llvm::Triple(h.triple).isX86())
      for (const char* preference : {"prefer-no-gather", "prefer-no-scatter"})
        features.AddFeature(preference);
    h.features = features.getString();
    return h;
  }();
  return found;
}

int widest_vector(const llvm::MCSubtargetInfo& subtarget) {
  if (!subtarget.getTargetTriple().isX86()) return 128;
  if (subtarget.checkFeatures("+avx512f") && subtarget.checkFeatures("+avx512dq")) return 512;
  if (subtarget.checkFeatures("+avx2") && subtarget.checkFeatures("+fma")) return 256;
  return 128;
}

}  // namespace

CpuMachine::CpuMachine(const std::string& arch) {
  const Host& h = host();
  std::string complaint;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(h.triple, complaint);
  if (!target) refuse(h.triple, complaint);
  llvm::TargetOptions options;
  // Otherwise the rounding of an operation would depend on its neighbours.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  machine_.reset(target->createTargetMachine(
      h.triple, arch.empty() ? h.cpu : arch, arch.empty() ? h.features : "", options,
      llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default, /*JIT=*/true));
  const llvm::MCSubtargetInfo& subtarget = *machine_->getMCSubtargetInfo();
  if (!arch.empty() && !subtarget.isCPUStringValid(arch))
    refuse(arch, "LLVM does not know this CPU for " + h.triple);
  vector_bits_ = widest_vector(subtarget);
}

const CpuMachine& cpu_machine(const std::string& arch) {
  thread_local std::unordered_map<std::string, CpuMachine> machines;
  return machines.try_emplace(arch, arch).first->second;
}

std::string cpu_identity(const std::string& arch) {
  const Host& h = host();
  return arch.empty() ? fmt::format("{} {} {}", h.triple, h.cpu, h.features)
                      : fmt::format("{} {}", h.triple, arch);
}

}  // namespace hither::compiler
