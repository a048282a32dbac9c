#include "compiler/cpu/optimise.h"

#include <string>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/AggressiveInstCombine/AggressiveInstCombine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/DeadStoreElimination.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/InjectTLIMappings.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Vectorize/LoopVectorize.h>

#include "compiler/cpu/half_comparisons.h"
#include "compiler/cpu/interleaved_accesses.h"
#include "compiler/cpu/narrow_comparisons.h"
#include "compiler/cpu/neighbour_loads.h"
#include "compiler/cpu/short_loops.h"
#include "compiler/cpu/vector_math.h"
#include "compiler/cpu/wide_loops.h"
#include "compiler/items/checked_ranges.h"
#include "compiler/items/unmasked_accesses.h"
#include "compiler/module/pass_runner.h"

namespace hither::compiler {
namespace {

/// By default, instcombine ends the process if it does not reach a fixpoint.
llvm::InstCombinePass combine() {
  return llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false));
}

void set_target_attributes(llvm::Module& module, const CpuMachine& machine) {
  std::string bits = std::to_string(machine.vector_bits());
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    f.addFnAttr("target-cpu", machine.llvm().getTargetCPU());
    f.addFnAttr("target-features", machine.llvm().getTargetFeatureString());
    // LLVM prefers half of AVX-512's width on CPUs that once reduced their clock for it.
    f.addFnAttr("prefer-vector-width", bits);
    f.addFnAttr("min-legal-vector-width", bits);
    f.setDoesNotThrow();
  }
}

/// The lanes of a reduction are a variable with hundreds of uses. LLVM's limit is 100; beyond it,
/// the variable might overlap every array, and the loop over the lanes is not vectorised.
void follow_all_uses() {
  static const bool done = [] {
    constexpr unsigned kMostUses = 2000;
    auto& options = llvm::cl::getRegisteredOptions();
    auto found = options.find("capture-tracking-max-uses-to-explore");
    if (found != options.end())
      static_cast<llvm::cl::opt<unsigned>*>(found->second)->setValue(kMostUses);
    return true;
  }();
  (void)done;
}

/// The loop vectoriser assumes that a stride passed as an argument is 1, and runs the scalar loop
/// otherwise. Front ends only pass strides that are not 1, so the loop has to use gathers.
void expect_real_strides() {
  static const bool done = [] {
    auto& options = llvm::cl::getRegisteredOptions();
    auto found = options.find("enable-mem-access-versioning");
    if (found != options.end()) static_cast<llvm::cl::opt<bool>*>(found->second)->setValue(false);
    return true;
  }();
  (void)done;
}

/// True for a module of one function without loops besides those over items.
bool is_straight(const llvm::Module& module, unsigned item_loops) {
  for (const llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    llvm::DominatorTree dominators(const_cast<llvm::Function&>(f));
    llvm::LoopInfo loops(dominators);
    if (loops.getLoopsInPreorder().size() > item_loops) return false;
  }
  return true;
}

llvm::FunctionToLoopPassAdaptor hoist() {
  return llvm::createFunctionToLoopPassAdaptor(
      llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true, /*UseBlockFrequencyInfo=*/false);
}

/// LLVM's -O3 for an elementwise kernel, without the passes that have no effect there. It takes
/// half the time.
llvm::ModulePassManager straight_pipeline() {
  llvm::FunctionPassManager f;
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  f.addPass(NarrowComparisons());
  f.addPass(llvm::AggressiveInstCombinePass());
  f.addPass(combine());
  // Stores of both branches become one without a mask.
  f.addPass(llvm::SimplifyCFGPass(llvm::SimplifyCFGOptions().sinkCommonInsts(true)));
  f.addPass(hoist());
  f.addPass(SplitAtChecks());
  f.addPass(llvm::LowerSwitchPass());  // a switch would prevent vectorisation
  f.addPass(llvm::InjectTLIMappings());
  f.addPass(llvm::LoopVectorizePass());
  f.addPass(combine());
  f.addPass(hoist());
  f.addPass(llvm::EarlyCSEPass());
  f.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager pipeline;
  pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(f)));
  return pipeline;
}

llvm::FunctionPassManager narrow_integers() {
  llvm::FunctionPassManager f;
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass());
  f.addPass(NarrowComparisons());
  f.addPass(llvm::AggressiveInstCombinePass());
  return f;
}

/// Loops that LLVM unrolls at the end of its pipeline store and reload values between iterations.
llvm::FunctionPassManager forward_stores() {
  llvm::FunctionPassManager f;
  f.addPass(UnmaskAccesses());
  f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  f.addPass(llvm::DSEPass());
  return f;
}

}  // namespace

bool needs_simplifying(const llvm::Module& module) {
  for (const llvm::Function& f : module)
    for (const llvm::Instruction& i : llvm::instructions(f))
      if (llvm::isa<llvm::AllocaInst, llvm::AddrSpaceCastOperator>(i)) return true;
  return false;
}

void simplify(llvm::Module& module, const CpuMachine& machine) {
  PassRunner passes(&machine.llvm());
  llvm::FunctionPassManager f;
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass());
  f.addPass(combine());
  f.addPass(llvm::SimplifyCFGPass());
  f.addPass(llvm::InferAddressSpacesPass(/*AddressSpace=*/0));
  passes.pipeline().addPass(llvm::createModuleToFunctionPassAdaptor(std::move(f)));
  passes.run(module);
}

void simplify_group(llvm::Function& kernel, const CpuMachine& machine) {
  PassRunner passes(&machine.llvm());
  llvm::FunctionPassManager f;
  // The second round finds variables whose addresses were stored in other variables.
  for (int round = 0; round < 2; ++round) {
    f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    f.addPass(combine());
    f.addPass(llvm::SimplifyCFGPass());
  }
  f.addPass(llvm::InferAddressSpacesPass(/*AddressSpace=*/0));
  f.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
  f.addPass(combine());
  f.addPass(llvm::LoopSimplifyPass());
  f.addPass(llvm::LCSSAPass());
  f.addPass(UnrollShortLoops());
  f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  f.addPass(combine());
  f.addPass(llvm::SimplifyCFGPass());
  passes.run(kernel, f);
}

void simplify_branches(llvm::Function& kernel, const CpuMachine& machine) {
  llvm::FunctionPassManager f;
  f.addPass(llvm::InstSimplifyPass());
  f.addPass(llvm::SimplifyCFGPass());
  PassRunner(&machine.llvm()).run(kernel, f);
}

void simplify_loops(llvm::Function& kernel, const CpuMachine& machine) {
  llvm::FunctionPassManager f;
  f.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(/*OptLevel=*/3)));
  f.addPass(combine());
  f.addPass(llvm::SimplifyCFGPass());
  f.addPass(hoist());
  PassRunner(&machine.llvm()).run(kernel, f);
}

void optimise(llvm::Module& module, const CpuMachine& machine, bool straight_code) {
  expect_real_strides();
  follow_all_uses();
  set_target_attributes(module, machine);
  VectorVariants variants(module);
  llvm::TargetLibraryInfoImpl library(machine.llvm().getTargetTriple());
  variants.add_to(library);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.LoopInterleaving = tuning.LoopUnrolling = true;
  tuning.SLPVectorization = straight_code;
  PassRunner passes(&machine.llvm(), tuning);
  passes.set_library(library);
  constexpr unsigned kItemLoops = 3;
  if (is_straight(module, kItemLoops)) {
    ask_for_wide_loops(module, machine.vector_bits());
    passes.pipeline() = straight_pipeline();
  } else {
    passes.builder().registerVectorizerStartEPCallback(
        [](llvm::FunctionPassManager& f, llvm::OptimizationLevel) {
          f.addPass(llvm::LowerSwitchPass());
          f.addPass(LoadNeighboursAlways());
        });
    passes.pipeline().addPass(llvm::createModuleToFunctionPassAdaptor(narrow_integers()));
    passes.pipeline().addPass(
        passes.builder().buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3));
    passes.pipeline().addPass(llvm::createModuleToFunctionPassAdaptor(forward_stores()));
  }
  passes.pipeline().addPass(llvm::createModuleToFunctionPassAdaptor(CompareHalvesAsFloats()));
  {
    const InterleavedAccesses guard(module);
    passes.run(module);
  }
  if (!straight_code) llvm::for_each(module, pack_roots);
  lower_vector_math(module, machine.vector_bits());
}

}  // namespace hither::compiler
