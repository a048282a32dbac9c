#include "compiler/module/error_exits.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/module/convergent_operation.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;

/// The block that returns. It is created if all paths of the kernel end in errors.
BasicBlock* return_of(llvm::Function& f) {
  for (BasicBlock& block : f)
    if (llvm::isa_and_nonnull<llvm::ReturnInst>(block.getTerminator())) return &block;
  BasicBlock* block = BasicBlock::Create(f.getContext(), "return", &f);
  llvm::IRBuilder<>(block).CreateRetVoid();
  return block;
}

/// A block with phis is split, because they would need a value for the new predecessor.
BasicBlock* return_without_phis(llvm::Function& f) {
  BasicBlock* block = return_of(f);
  return block->size() == 1 ? block : block->splitBasicBlock(block->getTerminator());
}

/// Blocks that all items of the group run: the entry and blocks with convergent operations.
bool stays(BasicBlock& block) { return convergent_operation_of(block) || block.isEntryBlock(); }

/// The first instruction of an error exit: the report, or the terminator if LLVM has found the
/// block to be undefined behaviour and has removed the report.
llvm::Instruction* error_report(llvm::Instruction* end) {
  auto* report = llvm::dyn_cast_or_null<llvm::CallInst>(end->getPrevNode());
  const llvm::Function* callee = report ? report->getCalledFunction() : nullptr;
  return callee && callee->getName() == "hither.raise" ? report : end;
}

/// Splits off the error exit of a block that all items run.
void split_before_errors(llvm::Function& f) {
  llvm::SmallVector<llvm::Instruction*, 4> ends;
  for (BasicBlock& block : f)
    if (stays(block) && llvm::isa<llvm::UnreachableInst>(block.getTerminator()))
      ends.push_back(block.getTerminator());
  for (llvm::Instruction* end : ends) end->getParent()->splitBasicBlock(error_report(end));
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
  find_error_blocks(f);
  llvm::SmallVector<BasicBlock*, 8> exits;
  for (BasicBlock& block : f)
    if (!leads_only_to_errors(&block) &&
        llvm::any_of(llvm::successors(&block),
                     [&](BasicBlock* to) { return leads_only_to_errors(to); }))
      exits.push_back(&block);
  for (BasicBlock* block : exits) detach(*block);
}

void ErrorExits::restore() {
  for (auto& [block, terminator] : terminators_) {
    BasicBlock* const at = const_cast<BasicBlock*>(block);
    at->getTerminator()->eraseFromParent();
    terminator->insertInto(at, at->end());
  }
  terminators_.clear();
}

void ErrorExits::clear() {
  for (auto& [block, terminator] : terminators_) terminator->deleteValue();
  terminators_.clear();
}

void ErrorExits::find_error_blocks(llvm::Function& f) {
  split_before_errors(f);
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock& block : f) {
      if (leads_only_to_errors(&block) || stays(block)) continue;
      const llvm::Instruction* end = block.getTerminator();
      const bool only_errors = llvm::isa<llvm::UnreachableInst>(end) ||
                               (end->getNumSuccessors() > 0 &&
                                llvm::all_of(llvm::successors(&block), [&](BasicBlock* to) {
                                  return leads_only_to_errors(to);
                                }));
      if (only_errors) changed = error_blocks_.insert(&block).second;
    }
  }
}

void ErrorExits::detach(BasicBlock& block) {
  llvm::Instruction* old = block.getTerminator();
  old->removeFromParent();
  terminators_[&block] = old;
  llvm::IRBuilder<> b(&block);
  auto is_live = [&](BasicBlock* to) { return !leads_only_to_errors(to); };
  auto live_target = llvm::find_if(llvm::successors(old), is_live);
  auto* choice = llvm::dyn_cast<llvm::SwitchInst>(old);
  if (live_target == llvm::succ_end(old)) {
    b.CreateBr(return_without_phis(*block.getParent()));
    return;
  }
  if (!choice) {
    b.CreateBr(*live_target);
    return;
  }
  llvm::SmallVector<std::pair<llvm::ConstantInt*, BasicBlock*>, 8> cases;
  for (auto& c : choice->cases())
    if (!leads_only_to_errors(c.getCaseSuccessor()))
      cases.push_back({c.getCaseValue(), c.getCaseSuccessor()});
  BasicBlock* otherwise = choice->getDefaultDest();
  if (leads_only_to_errors(otherwise)) otherwise = cases.pop_back_val().second;
  llvm::SwitchInst* live = b.CreateSwitch(choice->getCondition(), otherwise);
  for (auto& [value, to] : cases) live->addCase(value, to);
}

}  // namespace hither::compiler
