// The analysis managers of LLVM's new pass manager in one object.
#pragma once

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

namespace hither::compiler {

/// Runs one pipeline on one module or one function. `machine` may be null for passes that do not
/// depend on the target.
class PassRunner {
 public:
  explicit PassRunner(llvm::TargetMachine* machine,
                      llvm::PipelineTuningOptions tuning = llvm::PipelineTuningOptions())
      : builder_(machine, tuning) {}

  llvm::PassBuilder& builder() noexcept { return builder_; }
  llvm::ModulePassManager& pipeline() noexcept { return pipeline_; }
  /// Sets the known library functions. Must be called before run(); the default is LLVM's.
  void set_library(const llvm::TargetLibraryInfoImpl& library) {
    functions_.registerPass([&] { return llvm::TargetLibraryAnalysis(library); });
  }
  void run(llvm::Module& module) {
    register_analyses();
    pipeline_.run(module, modules_);
  }
  void run(llvm::Function& f, llvm::FunctionPassManager& passes) {
    register_analyses();
    passes.run(f, functions_);
  }

 private:
  void register_analyses() {
    builder_.registerModuleAnalyses(modules_);
    builder_.registerCGSCCAnalyses(graphs_);
    builder_.registerFunctionAnalyses(functions_);
    builder_.registerLoopAnalyses(loops_);
    builder_.crossRegisterProxies(loops_, functions_, graphs_, modules_);
  }

  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager graphs_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
  llvm::ModulePassManager pipeline_;
};

}  // namespace hither::compiler
