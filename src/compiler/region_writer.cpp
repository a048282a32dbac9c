#include "compiler/region_writer.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/meeting.h"
#include "compiler/vocabulary.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// Nothing of the region lets an item see another's stores.
bool items_are_independent(const Region& region) {
  for (const BasicBlock* block : region.blocks)
    for (const Instruction& i : *block) {
      if (i.isAtomic() || i.isVolatile()) return false;
      auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
      if (call && !is_meeting(i) && !llvm::isa<llvm::IntrinsicInst>(call) &&
          call->mayReadOrWriteMemory())
        return false;
    }
  return true;
}

std::optional<Word> word_called(const Instruction& i) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  return call && call->getCalledFunction() ? word_of(*call->getCalledFunction()) : std::nullopt;
}

bool has_inner_predecessor(const Region& region, BasicBlock* block) {
  return llvm::any_of(llvm::predecessors(block),
                      [&](BasicBlock* from) { return region.is_inner(from, block); });
}

int ways_out(const Region& region) {
  if (region.last) return 1;
  return static_cast<int>(llvm::count_if(region.blocks, [&](BasicBlock* block) {
    return llvm::any_of(llvm::successors(block),
                        [&](BasicBlock* to) { return !region.is_inner(block, to); });
  }));
}

}  // namespace

RegionWriter::RegionWriter(GroupFrame& frame, const Region& region)
    : frame_(frame),
      region_(region),
      context_(frame.group.function->getContext()),
      head_(frame.heads.lookup(region.entry)),
      in_head_(head_),
      at_start_(context_),
      in_body_(context_),
      parallel_(items_are_independent(region)) {}

void RegionWriter::write() {
  llvm::Function* f = frame_.group.function;
  auto block = [&](const char* name) { return BasicBlock::Create(context_, name, f); };
  for (int d = 0; d < 3; ++d) {
    if (frame_.group.local_size[d] == 1) continue;
    BasicBlock* head = block("items");
    auto* index = llvm::PHINode::Create(in_head_.getInt64Ty(), 2, "local_id", head);
    loops_.push_back({head, nullptr, index, d});
  }
  start_ = block("item");
  at_start_.SetInsertPoint(start_);
  for (BasicBlock* b : region_.blocks) blocks_[b] = block(b->getName().str().c_str());
  end_ = block("item_end");
  for (Loop& loop : loops_) loop.latch = block("next");
  tail_ = block("regroup");
  for (BasicBlock* b : region_.blocks) write_block(*b);
  fill_phis();
  at_start_.CreateBr(blocks_[region_.entry]);
  write_tail();
  close_loops();
}

void RegionWriter::close_loops() {
  const bool empty = region_.blocks.size() == 1 && blocks_[region_.entry]->size() == 1;
  if (empty) {
    in_head_.CreateBr(tail_);
    IRBuilder<>(end_).CreateUnreachable();
    llvm::SmallVector<BasicBlock*, 8> dead{start_, blocks_[region_.entry], end_};
    for (Loop& loop : loops_) {
      loop.index->replaceAllUsesWith(llvm::PoisonValue::get(loop.index->getType()));
      dead.append({loop.head, loop.latch});
      IRBuilder<>(loop.head).CreateUnreachable();
      IRBuilder<>(loop.latch).CreateUnreachable();
    }
    llvm::DeleteDeadBlocks(dead);
    return;
  }
  in_head_.CreateBr(loops_.empty() ? start_ : loops_[0].head);
  BasicBlock* before = head_;
  IRBuilder<> b(context_);
  for (size_t k = 0; k < loops_.size(); ++k) {
    Loop& loop = loops_[k];
    loop.index->addIncoming(b.getInt64(0), before);
    b.SetInsertPoint(loop.head);
    b.CreateBr(k + 1 < loops_.size() ? loops_[k + 1].head : start_);
    before = loop.head;
  }
  b.SetInsertPoint(end_);
  b.CreateBr(loops_.empty() ? tail_ : loops_.back().latch);
  for (size_t k = 0; k < loops_.size(); ++k) {
    Loop& loop = loops_[k];
    b.SetInsertPoint(loop.latch);
    Value* next = b.CreateAdd(loop.index, b.getInt64(1), "", true, true);
    loop.index->addIncoming(next, loop.latch);
    Value* size = b.getInt64(static_cast<uint64_t>(frame_.group.local_size[loop.dim]));
    llvm::BranchInst* back = b.CreateCondBr(b.CreateICmpULT(next, size), loop.head,
                                            k == 0 ? tail_ : loops_[k - 1].latch);
    llvm::SmallVector<llvm::Metadata*, 2> parts{nullptr};
    if (parallel_)
      parts.push_back(llvm::MDNode::get(
          context_,
          {llvm::MDString::get(context_, "llvm.loop.parallel_accesses"), frame_.access_group}));
    llvm::MDNode* id = llvm::MDNode::getDistinct(context_, parts);
    id->replaceOperandWith(0, id);
    back->setMetadata(llvm::LLVMContext::MD_loop, id);
  }
}

void RegionWriter::write_block(BasicBlock& block) {
  in_body_.SetInsertPoint(blocks_[&block]);
  for (llvm::PHINode& phi : block.phis()) write_phi(phi);
  for (llvm::PHINode& phi : block.phis()) keep(phi, values_[&phi], in_body_);
  for (Instruction& i : block) {
    if (llvm::isa<llvm::PHINode>(i) || i.isTerminator()) continue;
    write_instruction(i);
  }
  write_outgoing(block);
  write_terminator(block);
}

void RegionWriter::write_phi(llvm::PHINode& phi) {
  BasicBlock* block = phi.getParent();
  const bool enters = block == region_.entry && frame_.phis.contains(&phi);
  Value* before = nullptr;
  if (enters) {
    const Variable& variable = frame_.phis[&phi];
    before = load(variable, variable.each_item ? at_start_ : in_head_);
    if (!has_inner_predecessor(region_, block)) {
      values_[&phi] = before;
      if (!variable.each_item) known_in_head_.insert(&phi);
      return;
    }
  }
  llvm::PHINode* copy = in_body_.CreatePHI(phi.getType(), phi.getNumIncomingValues());
  if (before) copy->addIncoming(before, start_);
  values_[&phi] = copy;
}

void RegionWriter::fill_phis() {
  for (BasicBlock* block : region_.blocks)
    for (llvm::PHINode& phi : block->phis()) {
      auto* copy = llvm::dyn_cast<llvm::PHINode>(values_[&phi]);
      if (!copy || copy->getParent() != blocks_[block]) continue;
      for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k)
        if (BasicBlock* from = phi.getIncomingBlock(k); region_.is_inner(from, block))
          copy->addIncoming(value(phi.getIncomingValue(k)), blocks_[from]);
    }
}

bool RegionWriter::write_in_head(Instruction& i) {
  if (!frame_.crossing.is_uniform(i) || i.mayHaveSideEffects()) return false;
  const bool reads = i.mayReadFromMemory();
  const bool always_runs = i.getParent() == region_.entry;
  if (reads && (has_written_ || !always_runs)) return false;
  if (!always_runs && !llvm::isSafeToSpeculativelyExecute(&i)) return false;
  return llvm::all_of(i.operands(), [&](const llvm::Use& u) { return is_known_in_head(u); });
}

void RegionWriter::write_instruction(Instruction& i) {
  const auto word = word_called(i);
  if (is_meeting(i)) return;
  if (word == Word::kLocalId) {
    values_[&i] =
        item_id(static_cast<int>(llvm::cast<llvm::ConstantInt>(i.getOperand(0))->getZExtValue()));
    return keep(i, values_[&i], in_body_);
  }
  if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&i)) {
    values_[&i] = from_outside(*array);
    return;
  }
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i))
    if (intrinsic->isLifetimeStartOrEnd()) return;
  const bool in_head = write_in_head(i);
  Instruction* copy = i.clone();
  for (llvm::Use& operand : copy->operands()) operand.set(value(operand));
  copy->setName(i.getName());
  if (in_head) {
    known_in_head_.insert(&i);
    in_head_.Insert(copy);
  } else {
    in_body_.Insert(copy);
    mark(*copy);
    has_written_ = has_written_ || i.mayWriteToMemory();
  }
  values_[&i] = copy;
  keep(i, copy, in_head ? in_head_ : in_body_);
}

void RegionWriter::keep(const Instruction& i, Value* value, IRBuilder<>& at) {
  auto found = frame_.values.find(&i);
  if (found == frame_.values.end()) return;
  store(value, found->second, known_in_head_.contains(&i) ? in_head_ : at);
}

void RegionWriter::write_outgoing(BasicBlock& block) {
  for_each_outgoing_phi(region_, &block, [&](llvm::PHINode& phi, Value* incoming) {
    const Variable& variable = frame_.phis[&phi];
    if (!variable.each_item && is_known_in_head(incoming) && ways_out(region_) == 1)
      phis_in_tail_.push_back({&phi, value(incoming)});
    else
      store(value(incoming), variable, in_body_);
  });
}

void RegionWriter::write_terminator(BasicBlock& block) {
  if (region_.last == &block) {
    in_body_.CreateBr(end_);
    return;
  }
  Instruction* copy = block.getTerminator()->clone();
  for (llvm::Use& operand : copy->operands()) {
    auto* to = llvm::dyn_cast<BasicBlock>(operand);
    if (!to)
      operand.set(value(operand));
    else
      operand.set(region_.is_inner(&block, to) ? blocks_[to] : end_);
  }
  copy->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  in_body_.Insert(copy);
}

void RegionWriter::write_tail() {
  IRBuilder<> b(tail_);
  for (auto& [phi, incoming] : phis_in_tail_) store(incoming, frame_.phis[phi], b);
  if (region_.join) {
    b.CreateBr(frame_.heads[region_.join]);
    return;
  }
  Instruction* copy = region_.last->getTerminator()->clone();
  for (llvm::Use& operand : copy->operands()) {
    if (auto* to = llvm::dyn_cast<BasicBlock>(operand))
      operand.set(frame_.heads[to]);
    else if (is_known_in_head(operand))
      operand.set(value(operand));
    else
      operand.set(load(frame_.values[llvm::cast<Instruction>(operand.get())], b));
  }
  copy->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  b.Insert(copy);
}

bool RegionWriter::is_known_in_head(const Value* v) const {
  auto* i = llvm::dyn_cast<Instruction>(v);
  if (!i) return true;
  if (frame_.crossing.is_local(region_, *i)) return known_in_head_.contains(i);
  return frame_.crossing.is_uniform(*i);
}

Value* RegionWriter::value(Value* v) {
  auto* i = llvm::dyn_cast<Instruction>(v);
  if (!i) return v;
  auto found = values_.find(i);
  return found != values_.end() ? found->second : from_outside(*i);
}

Value* RegionWriter::from_outside(Instruction& i) {
  Value* result;
  if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&i)) {
    llvm::AllocaInst* all = frame_.private_arrays[array];
    result = at_start_.CreateInBoundsGEP(all->getAllocatedType(), all,
                                         {at_start_.getInt64(0), linear_item()});
  } else if (word_called(i) == Word::kLocalId) {
    result =
        item_id(static_cast<int>(llvm::cast<llvm::ConstantInt>(i.getOperand(0))->getZExtValue()));
  } else if (frame_.crossing.is_repeated(i)) {
    Instruction* copy = i.clone();
    for (llvm::Use& operand : copy->operands()) operand.set(value(operand));
    result = at_start_.Insert(copy, i.getName());
  } else {
    const Variable& variable = frame_.values[&i];
    result = load(variable, variable.each_item ? at_start_ : in_head_);
  }
  return values_[&i] = result;
}

Value* RegionWriter::item_id(int dim) const {
  for (const Loop& loop : loops_)
    if (loop.dim == dim) return loop.index;
  return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context_), 0);
}

Value* RegionWriter::linear_item() {
  if (linear_) return linear_;
  linear_ = item_id(0);
  for (int d = 1; d < 3; ++d) {
    const auto size = static_cast<uint64_t>(frame_.group.local_size[d]);
    if (size == 1) continue;
    linear_ = at_start_.CreateMul(linear_, at_start_.getInt64(size), "", true, true);
    linear_ = at_start_.CreateAdd(linear_, item_id(d), "", true, true);
  }
  return linear_;
}

Value* RegionWriter::address(const Variable& variable, IRBuilder<>& at) {
  if (!variable.each_item) return variable.memory;
  Value* item = linear_item();
  return at.CreateInBoundsGEP(variable.memory->getAllocatedType(), variable.memory,
                              {at.getInt64(0), item});
}

Value* RegionWriter::load(const Variable& variable, IRBuilder<>& at) {
  llvm::Type* type = variable.memory->getAllocatedType();
  if (variable.each_item) type = type->getArrayElementType();
  llvm::LoadInst* loaded = at.CreateLoad(type, address(variable, at));
  if (variable.each_item) mark(*loaded);
  return variable.type == type ? loaded : at.CreateTrunc(loaded, variable.type);
}

void RegionWriter::store(Value* value, const Variable& variable, IRBuilder<>& at) {
  llvm::Type* type = variable.memory->getAllocatedType();
  if (variable.each_item) type = type->getArrayElementType();
  if (type != value->getType()) value = at.CreateZExt(value, type);
  llvm::StoreInst* stored = at.CreateStore(value, address(variable, at));
  if (variable.each_item) mark(*stored);
}

/// Accesses that other items do not share, by the rules of the language or because each item has
/// its own variable. Private arrays are items' own as well, but generic pointers may lead anywhere.
void RegionWriter::mark(Instruction& access) const {
  if (!parallel_) return;
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  if (!pointer) return;
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  const bool shared_by_rule = space == 1 || space == 3;
  const bool variable = llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
  if (shared_by_rule || variable)
    access.setMetadata(llvm::LLVMContext::MD_access_group, frame_.access_group);
}

}  // namespace hither::compiler
