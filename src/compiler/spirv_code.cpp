#include "compiler/spirv_code.h"

#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "compiler/diagnostics.h"
#include "compiler/group_kernel.h"
#include "compiler/link_device_library.h"
#include "compiler/link_module.h"
#include "compiler/math_functions.h"
#include "compiler/pass_runner.h"
#include "compiler/spirv_atomics.h"
#include "compiler/spirv_entry.h"
#include "compiler/spirv_groups.h"
#include "compiler/spirv_math.h"
#include "compiler/spirv_memory.h"
#include "compiler/spirv_scalars.h"
#include "compiler/verify.h"
#include "compiler/vocabulary.h"
#include "counting/counter.h"
#include "emitter/spirv_emitter.h"

namespace hither::compiler {
namespace {

constexpr const char* kLayout =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-"
    "n8:16:32:64-G1";

std::string version_of(const std::string& arch) {
  if (arch.empty()) return "1.4";
  if (arch.size() != 3 || !arch.starts_with("1.") || arch[2] < '0' || arch[2] > '6')
    refuse("SPIR-V", fmt::format("{} is no version of SPIR-V: 1.0 to 1.6 are", arch));
  return arch;
}

void add_cleaning(llvm::FunctionPassManager& f) {
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  f.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false)));
  f.addPass(llvm::SimplifyCFGPass());
}

template <class Add>
void run(llvm::Module& module, const Add& add) {
  PassRunner passes(nullptr);
  llvm::FunctionPassManager f;
  add(f);
  passes.pipeline().addPass(llvm::createModuleToFunctionPassAdaptor(std::move(f)));
  passes.run(module);
}

/// Vectors become scalars, then variables registers, and pointers remember where they came from.
void simplify_for_devices(llvm::Module& module, llvm::Function& kernel) {
  run(module, [](llvm::FunctionPassManager& f) { add_cleaning(f); });
  take_vector_calls_apart(kernel);
  run(module, [](llvm::FunctionPassManager& f) {
    llvm::ScalarizerPassOptions all;
    all.ScalarizeVariableInsertExtract = all.ScalarizeLoadStore = true;
    f.addPass(llvm::ScalarizerPass(all));
    add_cleaning(f);
  });
  forget_vector_memory(kernel);
  run(module, [](llvm::FunctionPassManager& f) {
    add_cleaning(f);
    // A second time for variables that held addresses; constants are cast twice.
    for (unsigned space : {0u, 4u, 0u}) f.addPass(llvm::InferAddressSpacesPass(space));
    add_cleaning(f);
    f.addPass(llvm::InferAddressSpacesPass(0));
    f.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                    /*UseMemorySSA=*/true));
    f.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  });
}

void refuse_functions(const llvm::Module& module, const std::string& kernel) {
  for (const llvm::Function& f : module)
    if (!f.isDeclaration() && f.getName() != kernel)
      refuse_unsupported(kernel, fmt::format("{} calls itself, and devices that take SPIR-V have "
                                             "no recursion; use a loop",
                                             f.getName().str()));
}

/// What neither SPIR-V nor its code generator knows.
void refuse_types(const llvm::Function& f, const std::string& kernel) {
  auto check = [&](const llvm::Type* type) {
    if (auto* integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
      const unsigned bits = integer->getBitWidth();
      if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
        refuse_unsupported(kernel, fmt::format("devices that take SPIR-V have integers of 8, 16, "
                                               "32 and 64 bits, none of {}",
                                               bits));
    }
  };
  for (const llvm::Instruction& i : llvm::instructions(f)) {
    check(i.getType());
    for (const llvm::Value* operand : i.operands()) check(operand->getType());
  }
  if (const llvm::Type* vector = vector_left(f)) {
    std::string text;
    llvm::raw_string_ostream(text) << *vector;
    refuse_unsupported(kernel,
                       "vectors cannot be used this way on devices that take SPIR-V: " + text);
  }
}

/// Everything that this LLVM says and the emitter's need not know.
void plain_words_only(llvm::Module& module) {
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

/// Definitions stand before their uses in the text: the emitter's LLVM takes types from it.
void order_blocks(llvm::Function& f) {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&f);
  for (llvm::BasicBlock* block : order)
    if (block != &f.back()) block->moveAfter(&f.back());
}

class SpirvCompilation {
 public:
  SpirvCompilation(const target::KernelModule& source, const std::string& arch)
      : source_(source), version_(version_of(arch)) {}

  void link() {
    module_ =
        link_module(source_, diagnostics_, fmt::format("spirv64v{}-unknown-unknown", version_),
                    llvm::DataLayout(kLayout));
    verify_linked(*module_, source_);
  }

  void inline_all() {
    llvm::StripDebugInfo(*module_);
    rename_libm_calls(*module_);
    link_device_library(*module_, target::TargetKind::kSpirv, source_.entry, diagnostics_);
    normalise_math(*module_);
    annotate_words(*module_);
    inline_everything(*module_);
    verify_private_memory(*module_, source_);
    refuse_functions(*module_, source_.entry);
    in_groups_ = uses_groups(*module_, source_.signature);
  }

  void lower() {
    inline_all();
    move_constants(*module_);
    simplify_for_devices(*module_, *module_->getFunction(source_.entry));
    entry_ = make_spirv_entry(*module_, source_, in_groups_);
    llvm::Function& kernel = *entry_.function;
    lower_group_functions(kernel);
    expand_atomics(kernel, source_.entry);
    expand_memory_intrinsics(kernel);
    lower_math(*module_, source_.entry);
    run(*module_, [](llvm::FunctionPassManager& f) {
      f.addPass(llvm::EarlyCSEPass());
      f.addPass(llvm::SimplifyCFGPass());
    });
    refuse_generic_pointers(kernel, source_.entry);
    refuse_types(kernel, source_.entry);
    order_blocks(kernel);
    plain_words_only(*module_);
    std::string complaints = diagnostics_.take();
    if (!complaints.empty()) refuse(source_.entry, complaints);
  }

  std::string text() const {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module_->print(stream, nullptr);
    return text;
  }

  target::CodeImage describe() const {
    target::CodeImage image;
    image.target = {target::TargetKind::kSpirv, version_};
    image.entry_name = source_.entry;
    image.signature = source_.signature;
    image.dimensions = entry_.dimensions;
    image.uses_groups = in_groups_;
    image.local_bytes = local_bytes();
    image.reports_errors = entry_.reports_errors;
    image.source_file = source_.source_file;
    image.messages = source_.messages;
    return image;
  }

 private:
  int64_t local_bytes() const {
    constexpr unsigned kLocal = 3;
    int64_t bytes = 0;
    for (const llvm::GlobalVariable& v : module_->globals())
      if (v.getAddressSpace() == kLocal)
        bytes += static_cast<int64_t>(
            module_->getDataLayout().getTypeAllocSize(v.getValueType()).getFixedValue());
    return bytes;
  }

  const target::KernelModule& source_;
  const std::string version_;
  Diagnostics diagnostics_;  // holds the context, so it outlives the module
  std::unique_ptr<llvm::Module> module_;
  SpirvEntry entry_;
  bool in_groups_ = false;
};

}  // namespace

MachineCode compile_spirv(const target::KernelModule& source, const std::string& arch) {
  SpirvCompilation compilation(source, arch);
  compilation.link();
  compilation.lower();
  MachineCode code{compilation.describe(), emitter::emit_spirv(compilation.text(), source.entry)};
  counting::count(counting::Counter::kCompiles);
  return code;
}

std::string inspect_spirv(const target::KernelModule& source, const std::string& arch,
                          Stage stage) {
  SpirvCompilation compilation(source, arch);
  compilation.link();
  if (stage == Stage::kLinked) return compilation.text();
  if (stage == Stage::kLooped) {
    compilation.inline_all();
    return compilation.text();
  }
  compilation.lower();
  if (stage == Stage::kOptimised) return compilation.text();
  const std::vector<char> bytes = emitter::emit_spirv(compilation.text(), source.entry);
  return {bytes.begin(), bytes.end()};
}

}  // namespace hither::compiler
