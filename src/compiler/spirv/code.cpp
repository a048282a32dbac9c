#include "compiler/spirv/code.h"

#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "compiler/device/atomics.h"
#include "compiler/device/code.h"
#include "compiler/device/memory.h"
#include "compiler/spirv/atomic_accesses.h"
#include "compiler/spirv/builtins.h"
#include "compiler/spirv/comparisons.h"
#include "compiler/spirv/complements.h"
#include "compiler/spirv/fills.h"
#include "compiler/spirv/groups.h"
#include "compiler/spirv/math.h"
#include "compiler/spirv/sums.h"
#include "emitter/spirv_emitter.h"

namespace hither::compiler {
namespace {

constexpr const char* kLayout =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-"
    "n8:16:32:64-G1";
constexpr const char* kDevices = "SPIR-V devices";
constexpr unsigned kConstantSpace = 2;

std::string version_of(const std::string& arch) {
  if (arch.empty()) return "1.4";
  if (arch.size() != 3 || !arch.starts_with("1.") || arch[2] < '0' || arch[2] > '6')
    refuse("SPIR-V",
           fmt::format("'{}' is not a version of SPIR-V; versions 1.0 to 1.6 are supported", arch));
  return arch;
}

DeviceKind kind_of(const std::string& arch) {
  const std::string version = version_of(arch);
  return {{target::TargetKind::kSpirv, version},
          kDevices,
          fmt::format("spirv64v{}-unknown-unknown", version),
          kLayout,
          kConstantSpace,
          false};
}

/// Drops attributes and metadata that only optimise, because the emitter's LLVM may not know them.
void drop_hints(llvm::Module& module) {
  for (llvm::Function& f : module) {
    const bool convergent = f.isConvergent();
    f.setAttributes({});
    if (convergent) f.setConvergent();
    for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
      i.dropUnknownNonDebugMetadata();
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) call->setAttributes({});
      if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&i)) {
        freeze->replaceAllUsesWith(freeze->getOperand(0));
        freeze->eraseFromParent();
      }
    }
  }
}

/// Orders blocks so that definitions precede their uses in the text, because the emitter's LLVM
/// takes types from them.
void order_blocks(llvm::Function& f) {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&f);
  for (llvm::BasicBlock* block : order)
    if (block != &f.back()) block->moveAfter(&f.back());
}

/// Unrolls loops over the lanes of vectors: the vectors become variables, which a loop would have
/// to index.
void unroll_lanes(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  bool any = false;
  for (llvm::Function& f : module)
    for (llvm::Instruction& lane : llvm::instructions(f)) {
      if (!lane.getMetadata(target::kLaneLoop)) continue;
      llvm::Metadata* const full =
          llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.full"));
      llvm::MDNode* const loop = llvm::MDNode::getDistinct(context, {nullptr, full});
      loop->replaceOperandWith(0, loop);
      llvm::BasicBlock* const latch = llvm::cast<llvm::PHINode>(lane).getIncomingBlock(1);
      latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, loop);
      any = true;
    }
  if (!any) return;
  run_on_functions(module, [](llvm::FunctionPassManager& f) {
    f.addPass(llvm::createFunctionToLoopPassAdaptor(
        llvm::LoopFullUnrollPass(/*OptLevel=*/2, /*OnlyWhenForced=*/true)));
  });
}

DeviceEntry lower(DeviceCode& code) {
  const std::string& name = code.source().entry;
  unroll_lanes(code.module());
  code.inline_all();
  code.simplify();
  llvm::Module& module = code.module();
  const DeviceEntry entry = make_spirv_entry(module, code.source(), code.in_groups());
  llvm::Function& kernel = *entry.function;
  lower_group_functions(kernel);
  replace_atomic_accesses(kernel);
  expand_atomics(kernel, name, Atomics::kIntegers);
  hide_zero_fills(kernel);
  expand_memory_intrinsics(kernel);
  lower_math(module, name);
  keep_sums_in_order(kernel);
  hide_complements(kernel);
  if (code.in_groups()) compare_without_negations(kernel);
  run_on_functions(module, [](llvm::FunctionPassManager& f) {
    f.addPass(llvm::EarlyCSEPass());
    f.addPass(llvm::SimplifyCFGPass());
  });
  refuse_generic_pointers(kernel, name);
  code.refuse_types(kernel);
  order_blocks(kernel);
  drop_hints(module);
  code.check_diagnostics();
  return entry;
}

MachineCode generate(const target::KernelModule& source, const std::string& arch) {
  DeviceCode code(source, kind_of(arch));
  code.link();
  const DeviceEntry entry = lower(code);
  MachineCode machine_code{code.describe(entry), emitter::emit_spirv(code.text(), source.entry)};
  return machine_code;
}

std::string inspect(const target::KernelModule& source, const std::string& arch, Stage stage) {
  DeviceCode code(source, kind_of(arch));
  code.link();
  if (stage == Stage::kLinked) return code.text();
  if (stage == Stage::kLooped) {
    code.inline_all();
    return code.text();
  }
  lower(code);
  if (stage == Stage::kOptimised) return code.text();
  const std::vector<char> bytes = emitter::emit_spirv(code.text(), source.entry);
  return {bytes.begin(), bytes.end()};
}

std::string identity(const std::string& arch) {
  return fmt::format("SPIR-V {}\nemitter {}\nLLVM {}", arch, emitter::spirv_emitter_identity(),
                     LLVM_VERSION_STRING);
}

}  // namespace

const CodeTarget kSpirvTarget = {
    target::TargetKind::kSpirv, false, generate, inspect, identity, image_of_bytes};

}  // namespace hither::compiler
