#include "compiler/items/common_values.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

bool stores_to_private_array(const Instruction& i) {
  auto* store = llvm::dyn_cast<llvm::StoreInst>(&i);
  return store && store->isSimple() &&
         llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand()));
}

}  // namespace

CommonValues::CommonValues(llvm::Function& f, const DivergentRegion& region,
                           const llvm::LoopInfo& loops, const Uniformity& uniformity)
    : f_(f), region_(region), loops_(loops), uniformity_(uniformity), b_(f.getContext()) {
  for (Loop* loop : loops.getLoopsInPreorder())
    if (region.contains(loop->getHeader())) {
      split_off_counters(*loop);
      find_counters(*loop);
      find_common(*loop);
    }
}

/// Whether `v` is the same for all items of a loop, because they run it together.
bool CommonValues::is_common(const Value* v) const {
  auto* i = llvm::dyn_cast<Instruction>(v);
  if (!i) return true;
  if (region_.contains(i->getParent())) return common_.contains(i);
  return uniformity_.is_uniform(i) && !uniformity_.divergent_outside.contains(i);
}

/// Whether `v` is available wherever the region's blocks are moved.
bool CommonValues::is_known(const Value* v) const {
  auto* i = llvm::dyn_cast<Instruction>(v);
  return !i || !region_.contains(i->getParent()) || common_.contains(i);
}

/// A phi that begins differently for each item but grows by the same step becomes its beginning
/// plus a counter. Then the addresses of neighbouring items stay neighbours.
void CommonValues::split_off_counters(Loop& loop) {
  BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
  for (llvm::PHINode& phi : llvm::make_early_inc_range(header->phis())) {
    auto* next = llvm::dyn_cast<Instruction>(phi.getIncomingValueForBlock(latch));
    Value* start = phi.getIncomingValueForBlock(loop.getLoopPreheader());
    if (!next || next->getOpcode() != Instruction::Add || is_common(start) || !is_known(start))
      continue;
    Value* step = next->getOperand(next->getOperand(0) == &phi ? 1 : 0);
    const bool grows = next->getOperand(0) == &phi || next->getOperand(1) == &phi;
    if (!grows || !is_common(step)) continue;
    b_.SetInsertPoint(header, header->begin());
    llvm::PHINode* count = b_.CreatePHI(phi.getType(), 2, "count");
    b_.SetInsertPoint(header, header->getFirstNonPHIIt());
    count->addIncoming(llvm::ConstantInt::get(phi.getType(), 0), loop.getLoopPreheader());
    count->addIncoming(b_.CreateAdd(count, llvm::ConstantInt::get(phi.getType(), 1)), latch);
    phi.replaceAllUsesWith(b_.CreateAdd(start, b_.CreateMul(count, step)));
    phi.eraseFromParent();
  }
}

void CommonValues::find_counters(Loop& loop) {
  BasicBlock *preheader = loop.getLoopPreheader(), *latch = loop.getLoopLatch();
  for (llvm::PHINode& phi : loop.getHeader()->phis()) {
    auto* next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(latch));
    if (!next || !llvm::isSafeToSpeculativelyExecute(next) ||
        !is_common(phi.getIncomingValueForBlock(preheader)) ||
        !llvm::all_of(next->operands(), [&](Value* v) { return v == &phi || is_common(v); }))
      continue;
    counters_[&loop].push_back({&phi, next, preheader, latch});
    common_.insert(&phi);
    common_.insert(next);
  }
}

/// Values that are the same for all items are computed once, loads included: at least one item
/// runs the header in each iteration. Common branches lead all of these items to other blocks.
void CommonValues::find_common(Loop& loop) {
  llvm::SmallVector<std::pair<BasicBlock*, Value*>, 4> open{{loop.getHeader(), nullptr}};
  while (!open.empty()) {
    const auto [block, guard] = open.pop_back_val();
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!find_common_of_block(loop, *block, guard) || !branch) continue;
    for (BasicBlock* to : branch->successors()) {
      const bool follows = to->getSinglePredecessor() == block && region_.contains(to) &&
                           region_.loop_of(loops_, to) == &loop;
      if (!follows || (branch->isConditional() && !is_common(branch->getCondition()))) continue;
      open.push_back({to, add_guard(loop, *branch, *to, guard)});
    }
  }
}

/// `guard` says whether the items of an iteration run the block; null if they always do. Returns
/// whether no item can see in which order others run the block.
bool CommonValues::find_common_of_block(Loop& loop, BasicBlock& block, Value* guard) {
  for (Instruction& i : llvm::make_early_inc_range(block)) {
    if (i.isTerminator()) return true;
    if (stores_to_private_array(i)) continue;  // no common load reads it
    if (i.mayHaveSideEffects()) return false;
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
    if (llvm::isa<llvm::PHINode, llvm::CallInst>(i) || common_.contains(&i) ||
        (guard && !load && !llvm::isSafeToSpeculativelyExecute(&i)) ||
        !llvm::all_of(i.operands(), [&](Value* v) { return is_common(v); }))
      continue;
    if (load && guard) load_if(*load, guard, loop);
    move(i, loop);
  }
  return true;
}

void CommonValues::move(Instruction& i, Loop& loop) {
  moved_[&loop].push_back(&i);
  common_.insert(&i);
}

/// The guard of the block `to`, which follows on `branch` in a block with the guard `before`.
Value* CommonValues::add_guard(Loop& loop, llvm::BranchInst& branch, const BasicBlock& to,
                               Value* before) {
  if (branch.isUnconditional()) return before;
  b_.SetInsertPoint(&branch);
  Value* guard = branch.getCondition();
  const auto add = [&](Value* value) {
    if (auto* i = llvm::dyn_cast<Instruction>(value)) move(*i, loop);
    return value;
  };
  if (branch.getSuccessor(0) != &to) guard = add(b_.CreateNot(guard));
  return before ? add(b_.CreateAnd(before, guard)) : guard;
}

/// Makes the load read zeros if the guard is false.
void CommonValues::load_if(llvm::LoadInst& load, Value* guard, Loop& loop) {
  llvm::Module& module = *f_.getParent();
  constexpr const char* kName = "hither.zeros";
  constexpr uint64_t kBytes = 16;
  llvm::GlobalVariable* zeros = module.getNamedGlobal(kName);
  if (!zeros) {
    auto* type = llvm::ArrayType::get(b_.getInt8Ty(), kBytes);
    zeros = new llvm::GlobalVariable(module, type, /*isConstant=*/true,
                                     llvm::GlobalValue::PrivateLinkage,
                                     llvm::Constant::getNullValue(type), kName);
    zeros->setAlignment(llvm::Align(kBytes));
  }
  Value* pointer = load.getPointerOperand();
  b_.SetInsertPoint(&load);
  Value* other = llvm::ConstantExpr::getPointerBitCastOrAddrSpaceCast(zeros, pointer->getType());
  auto* place = llvm::cast<Instruction>(b_.CreateSelect(guard, pointer, other));
  move(*place, loop);
  load.setOperand(llvm::LoadInst::getPointerOperandIndex(), place);
  load.dropUnknownNonDebugMetadata();
}

}  // namespace hither::compiler
