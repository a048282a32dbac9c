#include "compiler/uniformity.h"

#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>

#include "compiler/group_function.h"
#include "compiler/vocabulary.h"

namespace hither::compiler {
namespace {

bool is_source(const llvm::Instruction& i) {
  if (llvm::isa<llvm::AllocaInst>(i) || i.isAtomic() || i.isVolatile()) return true;
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (!call) return false;
  const llvm::Function* callee = call->getCalledFunction();
  if (!callee) return true;
  if (auto function = group_function(*callee)) return !function->is_uniform();
  if (auto word = word_of(*callee)) return *word == Word::kLocalId;
  return !llvm::isa<llvm::IntrinsicInst>(call) && call->mayReadOrWriteMemory();
}

/// A target whose items diverge: LLVM's analysis answers for such targets alone.
class WorkItems final : public llvm::TargetTransformInfoImplCRTPBase<WorkItems> {
 public:
  explicit WorkItems(const llvm::DataLayout& layout) : TargetTransformInfoImplCRTPBase(layout) {}
  bool hasBranchDivergence(const llvm::Function*) const { return true; }
  bool isSourceOfDivergence(const llvm::Value* value) const {
    auto* i = llvm::dyn_cast<llvm::Instruction>(value);
    return i && is_source(*i);
  }
  bool isAlwaysUniform(const llvm::Value* value) const {
    auto* call = llvm::dyn_cast<llvm::CallInst>(value);
    if (!call || !call->getCalledFunction()) return false;
    auto function = group_function(*call->getCalledFunction());
    return function && function->is_uniform();
  }
};

}  // namespace

Uniformity analyse_uniformity(llvm::Function& f) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  functions.registerPass([] {
    return llvm::TargetIRAnalysis([](const llvm::Function& g) {
      return llvm::TargetTransformInfo(WorkItems(g.getParent()->getDataLayout()));
    });
  });
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  auto& info = functions.getResult<llvm::UniformityInfoAnalysis>(f);
  Uniformity result;
  for (llvm::BasicBlock& block : f)
    if (info.hasDivergentTerminator(block)) result.divergent_branches.insert(&block);
  for (llvm::Instruction& i : llvm::instructions(f)) {
    if (info.isDivergent(&i)) {
      result.divergent.insert(&i);
      continue;
    }
    for (const llvm::Use& use : i.uses())
      if (info.isDivergentUse(use)) result.divergent_outside.insert(&i);
  }
  return result;
}

}  // namespace hither::compiler
