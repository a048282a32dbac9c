#include "compiler/error_exits.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/meeting.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;

/// The block that returns; made when all ways of a kernel end in errors.
BasicBlock* return_of(llvm::Function& f) {
  for (BasicBlock& block : f)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) return &block;
  BasicBlock* block = BasicBlock::Create(f.getContext(), "return", &f);
  llvm::IRBuilder<>(block).CreateRetVoid();
  return block;
}

/// Its phis would need a value for another way to it.
BasicBlock* plain_return_of(llvm::Function& f) {
  BasicBlock* block = return_of(f);
  return block->size() == 1 ? block : block->splitBasicBlock(block->getTerminator());
}

}  // namespace

void end_items_at_errors(llvm::Function& f) {
  llvm::Function* raise = f.getParent()->getFunction("hither.raise");
  if (!raise) return;
  raise->removeFnAttr(llvm::Attribute::WillReturn);
  raise->setDoesNotReturn();
  for (BasicBlock& block : f)
    for (llvm::Instruction& i : block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
      if (!call || call->getCalledFunction() != raise) continue;
      llvm::changeToUnreachable(call->getNextNode());
      break;
    }
  llvm::removeUnreachableBlocks(f);
}

ErrorExits::ErrorExits(llvm::Function& f) {
  find_doomed(f);
  llvm::SmallVector<BasicBlock*, 8> exits;
  for (BasicBlock& block : f)
    if (!is_doomed(&block) &&
        llvm::any_of(llvm::successors(&block), [&](BasicBlock* to) { return is_doomed(to); }))
      exits.push_back(&block);
  for (BasicBlock* block : exits) detach(*block);
}

void ErrorExits::clear() {
  for (auto& [block, terminator] : terminators_) terminator->deleteValue();
  terminators_.clear();
}

void ErrorExits::find_doomed(llvm::Function& f) {
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock& block : f) {
      // Blocks that every item is sure to run, or to wait in, stay what they are.
      if (is_doomed(&block) || meeting_of(block) || &block == &f.getEntryBlock()) continue;
      const llvm::Instruction* end = block.getTerminator();
      const bool doomed =
          llvm::isa<llvm::UnreachableInst>(end) ||
          (end->getNumSuccessors() > 0 &&
           llvm::all_of(llvm::successors(&block), [&](BasicBlock* to) { return is_doomed(to); }));
      if (doomed) changed = doomed_.insert(&block).second;
    }
  }
}

void ErrorExits::detach(BasicBlock& block) {
  llvm::Instruction* old = block.getTerminator();
  old->removeFromParent();
  terminators_[&block] = old;
  llvm::IRBuilder<> b(&block);
  auto is_live = [&](BasicBlock* to) { return !is_doomed(to); };
  auto live_target = llvm::find_if(llvm::successors(old), is_live);
  auto* choice = llvm::dyn_cast<llvm::SwitchInst>(old);
  if (live_target == llvm::succ_end(old)) {
    b.CreateBr(plain_return_of(*block.getParent()));
    return;
  }
  if (!choice) {
    b.CreateBr(*live_target);
    return;
  }
  llvm::SmallVector<std::pair<llvm::ConstantInt*, BasicBlock*>, 8> cases;
  for (auto& c : choice->cases())
    if (!is_doomed(c.getCaseSuccessor())) cases.push_back({c.getCaseValue(), c.getCaseSuccessor()});
  BasicBlock* otherwise = choice->getDefaultDest();
  if (is_doomed(otherwise)) otherwise = cases.pop_back_val().second;
  llvm::SwitchInst* live = b.CreateSwitch(choice->getCondition(), otherwise);
  for (auto& [value, to] : cases) live->addCase(value, to);
}

}  // namespace hither::compiler
