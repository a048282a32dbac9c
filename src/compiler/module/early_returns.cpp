#include "compiler/module/early_returns.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include "compiler/module/convergent_operation.h"
#include "compiler/module/early_exits.h"
#include "compiler/module/error_exits.h"
#include "compiler/module/group_kernel.h"
#include "compiler/module/intrinsics.h"
#include "compiler/module/pass_runner.h"
#include "compiler/module/return_plan.h"
#include "compiler/module/returned_items.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Function;

bool has_convergent_operations_and_branches(const Function& f) {
  return f.size() > 1 && llvm::any_of(llvm::instructions(f), is_convergent);
}

/// Simplifies enough for the analysis of conditions. Blocks are not shared between paths, because a
/// return would then no longer be recognised.
void simplify(Function& f) {
  llvm::FunctionPassManager passes;
  for (int round = 0; round < 2; ++round) {
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
    passes.addPass(llvm::InferAddressSpacesPass(0));  // before loads are merged
    passes.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false)));
    passes.addPass(llvm::SimplifyCFGPass());
  }
  passes.addPass(llvm::LowerSwitchPass());
  PassRunner(nullptr).run(f, passes);
}

/// Lifetime markers would make exits differ that do nothing.
void drop_lifetimes(Function& f) {
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f)))
    if (i.isLifetimeStartOrEnd()) i.eraseFromParent();
}

/// Unifies all exits that only return.
BasicBlock* end_of(Function& f) {
  BasicBlock* end = unify_returns(f);
  for (BasicBlock* from : llvm::SmallVector<BasicBlock*, 8>(llvm::predecessors(end)))
    if (from->size() == 1 && !from->isEntryBlock())
      llvm::TryToSimplifyUncondBranchFromEmptyBlock(from);
  return end;
}

/// Returns false if `f` needs no rewriting.
bool rewrite(Function& f, const LocalSize& local_size, const std::string& source_file) {
  drop_lifetimes(f);
  simplify(f);
  BasicBlock* end = end_of(f);
  split_at_convergent_operations(f);
  ErrorExits errors(f);
  EarlyExits exits(f, end, local_size);
  if (exits.all().empty()) return false;
  ReturnPlan plan(f, end, exits, local_size, source_file);
  exits.restore();
  errors.restore();
  rewrite_early_returns(f, plan);
  return true;
}

/// A copy of the kernel that is rewritten. It is discarded if no items return early.
class TentativeCopy {
 public:
  explicit TentativeCopy(Function& kernel) : kernel_(kernel), raise_(raise_of(kernel)) {
    if (raise_) attributes_ = raise_->getAttributes();
    llvm::ValueToValueMapTy values;
    copy_ = llvm::CloneFunction(&kernel, values);
    copy_->takeName(&kernel);  // for error messages
    end_items_at_errors(*copy_);
  }
  ~TentativeCopy() {
    if (!copy_) return;
    kernel_.takeName(copy_);
    copy_->eraseFromParent();
    if (raise_) raise_->setAttributes(attributes_);
  }
  TentativeCopy(const TentativeCopy&) = delete;
  TentativeCopy& operator=(const TentativeCopy&) = delete;

  Function& copy() noexcept { return *copy_; }
  void accept() {
    kernel_.eraseFromParent();
    copy_ = nullptr;
  }

 private:
  static Function* raise_of(Function& kernel) {
    return kernel.getParent()->getFunction("hither.raise");
  }

  Function& kernel_;
  Function* raise_;
  llvm::AttributeList attributes_;
  Function* copy_ = nullptr;
};

}  // namespace

void convert_early_returns(llvm::Module& module, const target::KernelModule& source,
                           const LocalSize& local_size) {
  Function& kernel = *module.getFunction(source.entry);
  if (!has_convergent_operations_and_branches(kernel)) return;
  TentativeCopy tentative(kernel);
  if (!rewrite(tentative.copy(), local_size, source.source_file)) return;
  tentative.accept();
  annotate_intrinsics(module);
  end_items_at_errors(*module.getFunction(source.entry));
}

}  // namespace hither::compiler
