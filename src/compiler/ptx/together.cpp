#include "compiler/ptx/together.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// The instructions that can follow a block, and not the other one.
size_t work_after(const BasicBlock& block, const BasicBlock& other) {
  size_t count = 0;
  for (const BasicBlock* b : llvm::depth_first(&block))
    if (!llvm::isPotentiallyReachable(&other, b)) count += b->size();
  return count;
}

/// The way that most items take at a branch, which asks whether there is work.
unsigned usual_way(const llvm::BranchInst& branch) {
  const BasicBlock &yes = *branch.getSuccessor(0), &no = *branch.getSuccessor(1);
  return work_after(yes, no) < work_after(no, yes) ? 1 : 0;
}

/// Replaces a branch of several items, whose conditions these are. They go to `otherwise` if they
/// do not all take the usual way, `way`.
void require_usual_way(llvm::BranchInst& branch, llvm::ArrayRef<Value*> conditions, unsigned way,
                       BasicBlock* otherwise) {
  IRBuilder<> b(&branch);
  Value* all = conditions.front();
  for (Value* condition : conditions.drop_front())
    all = way == 0 ? b.CreateAnd(all, condition) : b.CreateOr(all, condition);
  BasicBlock* const block = branch.getParent();
  branch.getSuccessor(1 - way)->removePredecessor(block);
  branch.setCondition(all);
  branch.setSuccessor(1 - way, otherwise);
}

}  // namespace

Varying depending_on(llvm::SmallVector<const Instruction*, 32> pending) {
  Varying found(pending.begin(), pending.end());
  while (!pending.empty())
    for (const llvm::User* user : pending.pop_back_val()->users())
      if (const auto* i = llvm::dyn_cast<Instruction>(user); i && found.insert(i).second)
        pending.push_back(i);
  return found;
}

Blocks copy_together(llvm::ArrayRef<Value*> items, const Instruction& item, const Blocks& blocks,
                     BasicBlock* to, BasicBlock* otherwise) {
  const Varying varying = depending_on({&item});
  std::vector<llvm::ValueToValueMapTy> maps(items.size());
  for (const BasicBlock* block : blocks)
    maps[0][block] = CloneBasicBlock(block, maps[0], ".together", to->getParent());
  IRBuilder<>(to).CreateBr(llvm::cast<BasicBlock>(maps[0][blocks.front()]));
  for (const BasicBlock* block : blocks)
    for (const Instruction& i : *block) {
      auto* before = llvm::cast<Instruction>(maps[0][&i]);
      for (size_t k = 1; k < maps.size(); ++k) {
        if (varying.contains(&i) && !i.isTerminator()) {
          Instruction* copy = i.clone();
          copy->insertAfter(before);
          maps[k][&i] = before = copy;
        } else {
          maps[k][&i] = maps[0][&i];
        }
      }
    }
  for (size_t k = 0; k < maps.size(); ++k) {
    maps[k][&item] = items[k];
    for (const BasicBlock* block : blocks) maps[k][block] = maps[0][block];
    for (const BasicBlock* block : blocks)
      for (const Instruction& i : *block)
        if (k == 0 || maps[k][&i] != maps[0][&i])
          llvm::RemapInstruction(llvm::cast<Instruction>(maps[k][&i]), maps[k],
                                 llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  }
  Blocks guards;
  for (const BasicBlock* block : blocks) {
    if (!varying.contains(block->getTerminator())) continue;
    const auto& branch = llvm::cast<llvm::BranchInst>(*block->getTerminator());
    llvm::SmallVector<Value*, 4> conditions;
    for (auto& map : maps) conditions.push_back(map[branch.getCondition()]);
    auto* const copy = llvm::cast<BasicBlock>(maps[0][block]);
    require_usual_way(llvm::cast<llvm::BranchInst>(*copy->getTerminator()), conditions,
                      usual_way(branch), otherwise);
    guards.push_back(copy);
  }
  return guards;
}

}  // namespace hither::compiler
