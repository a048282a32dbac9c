#include "compiler/module/link_module.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PassManager.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/module/intrinsics.h"
#include "compiler/module/pass_runner.h"

namespace hither::compiler {
namespace {

std::string words_of(const llvm::SMDiagnostic& diagnostic) {
  std::string line = diagnostic.getLineContents().str();
  return fmt::format(
      "{}{}{}", diagnostic.getMessage().str(),
      diagnostic.getLineNo() > 0 ? fmt::format(" at line {}", diagnostic.getLineNo()) : "",
      line.empty() ? "" : ": " + line);
}

std::unique_ptr<llvm::Module> parse(const std::string& code, const std::string& where,
                                    Diagnostics& diagnostics, const std::string& triple,
                                    const std::string& layout) {
  llvm::SMDiagnostic diagnostic;
  // The layout must be set before the first instruction, because default alignments depend on it.
  llvm::ParserCallbacks callbacks(
      [&](llvm::StringRef, llvm::StringRef) { return std::optional<std::string>(layout); });
  auto module = llvm::parseIR(llvm::MemoryBufferRef(code, where), diagnostic, diagnostics.context(),
                              std::move(callbacks));
  std::string complaints = diagnostics.take();
  if (!module) refuse(where, "the kernel's LLVM IR does not parse: " + words_of(diagnostic));
  if (!complaints.empty()) refuse(where, "the kernel's LLVM IR does not parse: " + complaints);
  module->setTargetTriple(triple);
  module->setDataLayout(layout);
  return module;
}

/// The linker drops linkonce definitions without uses, and external definitions clash if two pieces
/// hold the same one. weak_odr avoids both.
void make_mergeable(llvm::Module& module, llvm::StringRef entry) {
  for (llvm::Function& f : module)
    if (!f.isDeclaration() && !f.hasLocalLinkage() && f.getName() != entry)
      f.setLinkage(llvm::GlobalValue::WeakODRLinkage);
}

bool defines(const llvm::Module& module, llvm::StringRef name) {
  const llvm::Function* f = module.getFunction(name);
  return f && !f->isDeclaration();
}

bool promises_no_alias(const llvm::Function& f) {
  return !f.isDeclaration() && f.hasLocalLinkage() &&
         f.getAttributes().hasAttrSomewhere(llvm::Attribute::NoAlias);
}

llvm::DenseSet<const llvm::Function*> functions_in_cycles(llvm::Module& module) {
  llvm::CallGraph graph(module);
  llvm::DenseSet<const llvm::Function*> found;
  for (auto group = llvm::scc_begin(&graph); !group.isAtEnd(); ++group)
    if (group.hasCycle())
      for (const llvm::CallGraphNode* node : *group) found.insert(node->getFunction());
  return found;
}

/// Inlines the calls that carry a line of the user's source, and passes this line on to the calls
/// in the inlined code.
void inline_with_lines(llvm::Module& module) {
  const auto in_cycle = functions_in_cycles(module);
  llvm::SmallVector<llvm::CallBase*, 16> open;
  const auto consider = [&](llvm::CallBase* call) {
    const llvm::Function* callee = call->getCalledFunction();
    if (callee && !callee->isDeclaration() && !in_cycle.contains(callee) &&
        call->hasMetadata(kLine))
      open.push_back(call);
  };
  for (llvm::Function& f : module)
    for (llvm::Instruction& i : llvm::instructions(f))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&i)) consider(call);
  while (!open.empty()) {
    llvm::CallBase* call = open.pop_back_val();
    llvm::MDNode* line = call->getMetadata(kLine);
    llvm::InlineFunctionInfo brought;
    if (!llvm::InlineFunction(*call, brought, false, nullptr, true).isSuccess()) continue;
    for (llvm::CallBase* inner : brought.InlinedCallSites) {
      if (!inner->hasMetadata(kLine)) inner->setMetadata(kLine, line);
      consider(inner);
    }
  }
}

}  // namespace

std::unique_ptr<llvm::Module> link_module(const target::KernelModule& source,
                                          Diagnostics& diagnostics, const std::string& triple,
                                          const llvm::DataLayout& layout) {
  std::vector<std::unique_ptr<llvm::Module>> pieces;
  std::unique_ptr<llvm::Module> linked;
  for (size_t i = 0; i < source.code.size(); ++i) {
    auto piece = parse(source.code[i], fmt::format("{} (piece {})", source.entry, i), diagnostics,
                       triple, layout.getStringRepresentation());
    make_mergeable(*piece, source.entry);
    if (defines(*piece, source.entry) && !linked)
      linked = std::move(piece);
    else
      pieces.push_back(std::move(piece));
  }
  if (!linked) refuse(source.entry, "no piece of the kernel module defines the entry function");
  llvm::Linker linker(*linked);
  for (auto& piece : pieces)
    if (linker.linkInModule(std::move(piece)))
      refuse(source.entry, "the pieces of the kernel do not link: " + diagnostics.take());
  llvm::internalizeModule(
      *linked, [&](const llvm::GlobalValue& value) { return value.getName() == source.entry; });
  llvm::ModuleAnalysisManager none;
  llvm::GlobalDCEPass().run(*linked, none);
  return linked;
}

void round_each_operation(llvm::Module& module) {
  for (llvm::Function& f : module)
    for (llvm::Instruction& i : llvm::instructions(f))
      if (llvm::isa<llvm::FPMathOperator>(i) && i.hasAllowContract() && !i.hasAllowReassoc())
        i.setHasAllowContract(false);
}

void pass_print_buffer(llvm::Module& module, const target::KernelModule& source) {
  llvm::Function* const f = module.getFunction("hither.print_buffer");
  if (!f) return;
  const llvm::Function& entry = *module.getFunction(source.entry);
  const auto& parameters = source.signature.parameters;
  if (parameters.empty() || parameters.back() != target::Parameter::kPointer)
    refuse(source.entry, "a kernel that prints has the print buffer as its last parameter");
  for (llvm::User* user : llvm::make_early_inc_range(f->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    if (call->getFunction() != &entry)
      refuse(source.entry, "a function that calls itself cannot print");
    call->replaceAllUsesWith(entry.getArg(entry.arg_size() - 1));
    call->eraseFromParent();
  }
  f->eraseFromParent();
}

void replace_variables(llvm::Module& module) {
  PassRunner passes(nullptr);
  llvm::FunctionPassManager functions;
  functions.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  functions.addPass(llvm::InstSimplifyPass());
  passes.pipeline().addPass(llvm::createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.run(module);
}

void inline_everything(llvm::Module& module) {
  int defined = 0;
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    ++defined;
    if (!f.hasLocalLinkage()) continue;
    f.removeFnAttr(llvm::Attribute::NoInline);
    f.removeFnAttr(llvm::Attribute::OptimizeNone);
    f.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  if (defined == 1) return;
  if (std::ranges::any_of(module, promises_no_alias)) {
    // The inliner keeps noalias for accesses that it can trace to the argument.
    replace_variables(module);
  }
  inline_with_lines(module);
  PassRunner passes(nullptr);
  passes.pipeline().addPass(llvm::AlwaysInlinerPass(/*InsertLifetime=*/true));
  passes.pipeline().addPass(llvm::GlobalDCEPass());
  passes.run(module);
}

}  // namespace hither::compiler
