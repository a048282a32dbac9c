#include "compiler/module/uniformity.h"

#include <algorithm>

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/module/group_function.h"
#include "compiler/module/intrinsics.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

const llvm::Function* callee_of(const Instruction& i) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  return call ? call->getCalledFunction() : nullptr;
}

bool is_always_uniform(const Instruction& i) {
  const llvm::Function* callee = callee_of(i);
  if (!callee) return false;
  const auto function = group_function(*callee);
  return function && function->is_uniform();
}

bool is_source(const Instruction& i, const LocalSize* local_size) {
  if (llvm::isa<llvm::AllocaInst>(i) || i.isAtomic() || i.isVolatile()) return true;
  if (!llvm::isa<llvm::CallInst>(i)) return false;
  const llvm::Function* callee = callee_of(i);
  if (!callee) return true;
  if (const auto function = group_function(*callee)) return !function->is_uniform();
  if (const auto intrinsic = intrinsic_of(*callee)) {
    if (*intrinsic == Intrinsic::kLocalId || *intrinsic == Intrinsic::kGlobalId)
      return !local_size || !local_size->is_one(llvm::cast<llvm::CallInst>(i));
    return is_sub_group_query(*intrinsic) && *intrinsic != Intrinsic::kNumSubGroups;
  }
  return !llvm::isa<llvm::IntrinsicInst>(i) && i.mayReadOrWriteMemory();
}

class Analysis {
 public:
  Analysis(llvm::Function& f, const LocalSize* local_size, bool through_branches = true)
      : f_(f), local_size_(local_size), through_branches_(through_branches), postdominators_(f) {}

  Uniformity run() {
    for (Instruction& i : llvm::instructions(f_))
      if (is_source(i, local_size_)) mark(i);
    while (!open_.empty()) {
      const Instruction* i = open_.pop_back_val();
      for (const llvm::User* user : i->users()) mark(*llvm::cast<Instruction>(user));
    }
    return std::move(result_);
  }

 private:
  void mark(const Instruction& i) {
    if (is_always_uniform(i) || !i.getParent()) return;  // no parent: an error exit
    if (i.isTerminator()) {
      if (i.getNumSuccessors() > 1 && result_.divergent_branches.insert(i.getParent()).second &&
          through_branches_)
        diverge(*i.getParent());
      return;
    }
    if (result_.divergent.insert(&i).second) open_.push_back(&i);
  }

  /// `branch` is divergent. Phis up to and including its reconvergence point are divergent if they
  /// have several values on the paths from `branch`. Values of a loop that items leave in different
  /// iterations are divergent where they are used outside it.
  void diverge(const BasicBlock& branch) {
    const auto [blocks, join] = divergence_at(branch, postdominators_);
    for (const BasicBlock* block : blocks) {
      mark_phis(*block, branch, blocks);
      for (const Instruction& i : *block) mark_uses_outside(i, blocks);
    }
    if (join) mark_phis(*join, branch, blocks);
  }

  /// Marks the phis that have more than one value on the paths from `branch`.
  void mark_phis(const BasicBlock& block, const BasicBlock& branch,
                 const llvm::DenseSet<const BasicBlock*>& blocks) {
    for (const llvm::PHINode& phi : block.phis()) {
      const llvm::Value* only = nullptr;
      for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
        const BasicBlock* from = phi.getIncomingBlock(k);
        if (from != &branch && !blocks.contains(from)) continue;
        if (only && only != phi.getIncomingValue(k)) mark(phi);
        only = phi.getIncomingValue(k);
      }
    }
  }

  void mark_uses_outside(const Instruction& i, const llvm::DenseSet<const BasicBlock*>& blocks) {
    for (const llvm::User* user : i.users()) {
      const auto& at = *llvm::cast<Instruction>(user);
      if (blocks.contains(at.getParent()) || is_always_uniform(i)) continue;
      result_.divergent_outside.insert(&i);
      mark(at);
    }
  }

  llvm::Function& f_;
  const LocalSize* local_size_;
  const bool through_branches_;
  llvm::PostDominatorTree postdominators_;
  Uniformity result_;
  llvm::SmallVector<const Instruction*, 32> open_;
};

}  // namespace

bool Uniformity::leave_together(const llvm::Loop& loop) const {
  llvm::SmallVector<BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  return llvm::none_of(exiting, [&](const BasicBlock* block) { return branches(block); });
}

Divergence divergence_at(const BasicBlock& branch, const llvm::PostDominatorTree& postdominators) {
  const auto* node = postdominators.getNode(&branch);
  Divergence result;
  result.join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  llvm::SmallVector<const BasicBlock*, 16> open{&branch};
  while (!open.empty())
    for (const BasicBlock* to : llvm::successors(open.pop_back_val()))
      if (to != result.join && result.blocks.insert(to).second) open.push_back(to);
  return result;
}

bool LocalSize::is_one(const llvm::CallInst& call) const {
  const auto* dim = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  return dim && extents_[std::min<uint64_t>(dim->getZExtValue(), 2)] == 1;
}

Uniformity analyse_uniformity(llvm::Function& f) { return Analysis(f, nullptr).run(); }

Uniformity analyse_uniformity(llvm::Function& f, const LocalSize& local_size) {
  return Analysis(f, &local_size).run();
}

Uniformity analyse_operands(llvm::Function& f, const LocalSize& local_size) {
  return Analysis(f, &local_size, /*through_branches=*/false).run();
}

}  // namespace hither::compiler
