#include "compiler/ptx/machine.h"

#include <charconv>
#include <mutex>

#include <fmt/format.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>

#include "compiler/device/narrow_integers.h"
#include "compiler/module/diagnostics.h"
#include "compiler/module/pass_runner.h"
#include "compiler/ptx/loops.h"

namespace hither::compiler {
namespace {

constexpr int kKnown[] = {70, 72, 75, 80, 86, 87, 89, 90};

/// The newest architecture up to `arch` that LLVM knows. Devices before the first one lack
/// independent thread scheduling.
int known_architecture(const std::string& arch) {
  int requested = 0, found = 0;
  const std::string_view prefix = "sm_";
  if (arch.starts_with(prefix))
    std::from_chars(arch.data() + prefix.size(), arch.data() + arch.size(), requested);
  for (int known : kKnown)
    if (known <= requested) found = known;
  if (found == 0)
    refuse("PTX", fmt::format("'{}' is not a supported architecture; sm_{} and later are supported",
                              arch, kKnown[0]));
  return found;
}

void initialise_once() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

}  // namespace

PtxMachine::PtxMachine(const std::string& arch) {
  initialise_once();
  const std::string cpu = fmt::format("sm_{}", known_architecture(arch));
  std::string complaint;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple_, complaint);
  if (!target) refuse(triple_, complaint);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;  // as on CPUs
  machine_.reset(target->createTargetMachine(triple_, cpu, "+ptx80", options, llvm::Reloc::PIC_,
                                             std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

std::string PtxMachine::layout() const {
  return machine_->createDataLayout().getStringRepresentation();
}

void PtxMachine::optimise(llvm::Module& module) const {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = false;  // warps are the vectors
  PassRunner passes(machine_.get(), tuning);
  passes.builder().registerPipelineEarlySimplificationEPCallback(
      [](llvm::ModulePassManager& m, llvm::OptimizationLevel) {
        m.addPass(llvm::createModuleToFunctionPassAdaptor(JoinLoopExits()));
      });
  passes.builder().registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& f, llvm::OptimizationLevel) {
        f.addPass(NarrowIntegers());
        f.addPass(llvm::InstCombinePass());
        f.addPass(UnrollByFour());
      });
  passes.pipeline() = passes.builder().buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  passes.run(module);
}

std::string PtxMachine::emit(llvm::Module& module) const {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  if (machine_->addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    refuse("code generation", "LLVM cannot emit PTX");
  passes.run(module);
  return {bytes.begin(), bytes.end()};
}

}  // namespace hither::compiler
