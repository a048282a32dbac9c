#include "compiler/cpu/crossing_values.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

#include "compiler/module/convergent_operation.h"
#include "compiler/module/group_function.h"
#include "compiler/module/intrinsics.h"

namespace hither::compiler {
namespace {

bool asks_local_id(const llvm::Instruction& i) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  return call && call->getCalledFunction() &&
         intrinsic_of(*call->getCalledFunction()) == Intrinsic::kLocalId;
}

/// Cheap arithmetic on indices and addresses.
bool is_cheap(const llvm::Instruction& i) {
  if (i.getType()->isVectorTy() || !llvm::isSafeToSpeculativelyExecute(&i)) return false;
  if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&i))
    return op->getType()->isIntegerTy() && op->getOpcode() != llvm::Instruction::SDiv &&
           op->getOpcode() != llvm::Instruction::UDiv &&
           op->getOpcode() != llvm::Instruction::SRem && op->getOpcode() != llvm::Instruction::URem;
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&i)) return select->getType()->isIntOrPtrTy();
  return llvm::isa<llvm::GetElementPtrInst, llvm::ICmpInst, llvm::CastInst>(i);
}

}  // namespace

CrossingValues::CrossingValues(llvm::Function& f, const Uniformity& uniformity,
                               const std::vector<std::unique_ptr<Region>>& regions,
                               const ErrorExits& exits)
    : uniformity_(uniformity), exits_(exits), dominators_(f) {
  find_repeated(f);
  for (const auto& region : regions) {
    const bool starts = region->entry == &f.getEntryBlock();
    if (!starts)
      for (const llvm::PHINode& phi : region->entry->phis()) phis_.insert(&phi);
  }
  for (const auto& region : regions) {
    for (llvm::BasicBlock* block : region->blocks) use_all(*region, *block);
    if (const llvm::CallInst* operation = convergent_operation_of(*region->entry))
      use_by_group_function(*operation);
    use_in_exits(*region);
    // A uniform branch runs once, outside of the item loops.
    if (region->last)
      for (const llvm::Use& operand : region->last->getTerminator()->operands())
        if (auto* i = llvm::dyn_cast<llvm::Instruction>(operand)) kept_.insert(i);
  }
}

bool CrossingValues::is_local(const Region& region, const llvm::Instruction& i) const {
  const llvm::BasicBlock* block = i.getParent();
  return region.contains(block) && !dominators_.properlyDominates(block, region.entry);
}

bool CrossingValues::is_uniform(const llvm::Value& v) const {
  return uniformity_.is_uniform(&v) && !uniformity_.divergent_outside.contains(&v);
}

bool CrossingValues::can_be_repeated(const llvm::Instruction& i) const {
  if (asks_local_id(i) || llvm::isa<llvm::AllocaInst>(i)) return true;
  // The operands' values at the item's exit from the loop are no longer known.
  if (uniformity_.divergent_outside.contains(&i)) return false;
  return is_cheap(i) && llvm::all_of(i.operands(), [&](const llvm::Use& operand) {
           auto* value = llvm::dyn_cast<llvm::Instruction>(operand);
           return !value || is_uniform(*value) || repeated_.contains(value);
         });
}

void CrossingValues::find_repeated(llvm::Function& f) {
  constexpr int kMostOperations = 12;
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&f))
    for (const llvm::Instruction& i : *block) {
      if (is_uniform(i) || !can_be_repeated(i)) continue;
      int cost = 1;
      for (const llvm::Use& operand : i.operands())
        if (auto* value = llvm::dyn_cast<llvm::Instruction>(operand))
          if (auto found = repeated_.find(value); found != repeated_.end()) cost += found->second;
      if (cost <= kMostOperations || llvm::isa<llvm::AllocaInst>(i)) repeated_[&i] = cost;
    }
}

void CrossingValues::use(const Region& region, const llvm::Value* value) {
  auto* i = llvm::dyn_cast<llvm::Instruction>(value);
  if (!i || is_local(region, *i)) return;
  if (!is_repeated(*i)) {
    kept_.insert(i);
    return;
  }
  for (const llvm::Use& operand : i->operands()) use(region, operand);
}

void CrossingValues::use_all(const Region& region, llvm::BasicBlock& block) {
  for (const llvm::Instruction& i : block) {
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i)) {
      for (llvm::BasicBlock* from : phi->blocks())
        if (region.is_inner(from, &block)) use(region, phi->getIncomingValueForBlock(from));
      continue;
    }
    if (is_convergent(i)) continue;
    for (const llvm::Use& operand : i.operands()) use(region, operand);
  }
  for_each_outgoing_phi(region, &block,
                        [&](llvm::PHINode&, llvm::Value* value) { use(region, value); });
}

/// Group functions read the arguments of all items, so these are stored even if recomputing them is
/// cheap.
void CrossingValues::use_by_group_function(const llvm::CallInst& operation) {
  for (const llvm::Use& argument : operation.args())
    if (auto* i = llvm::dyn_cast<llvm::Instruction>(argument)) kept_.insert(i);
  auto function = group_function(*operation.getCalledFunction());
  if (function && !function->is_uniform()) kept_.insert(&operation);
}

void CrossingValues::use_in_exits(const Region& region) {
  llvm::SmallVector<const llvm::BasicBlock*, 8> open;
  llvm::DenseSet<const llvm::BasicBlock*> seen;
  auto follow = [&](const llvm::Instruction& end) {
    for (unsigned k = 0; k < end.getNumSuccessors(); ++k)
      if (const auto* to = end.getSuccessor(k);
          exits_.leads_only_to_errors(to) && seen.insert(to).second)
        open.push_back(to);
  };
  for (llvm::BasicBlock* block : region.blocks)
    if (const llvm::Instruction* end = exits_.terminator(block)) {
      for (const llvm::Use& operand : end->operands()) use(region, operand);
      follow(*end);
    }
  while (!open.empty()) {
    const llvm::BasicBlock* block = open.pop_back_val();
    for (const llvm::Instruction& i : *block)
      for (const llvm::Use& operand : i.operands()) {
        auto* value = llvm::dyn_cast<llvm::Instruction>(operand);
        if (value && !exits_.leads_only_to_errors(value->getParent())) use(region, value);
      }
    follow(*block->getTerminator());
  }
}

}  // namespace hither::compiler
