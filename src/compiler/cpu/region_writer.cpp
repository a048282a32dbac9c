#include "compiler/cpu/region_writer.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/cpu/item_ids.h"
#include "compiler/items/private_arrays.h"
#include "compiler/module/convergent_operation.h"
#include "compiler/module/intrinsics.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// Whether no item of the region can see another item's stores.
bool items_are_independent(const Region& region, const ErrorExits& exits) {
  for (const BasicBlock* block : region.blocks) {
    if (exits.terminator(block)) return false;
    for (const Instruction& i : *block) {
      if (i.isAtomic() || i.isVolatile()) return false;
      auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
      if (call && !is_convergent(i) && !llvm::isa<llvm::IntrinsicInst>(call) &&
          call->mayReadOrWriteMemory())
        return false;
    }
  }
  return true;
}

std::optional<Intrinsic> intrinsic_called(const Instruction& i) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  return call && call->getCalledFunction() ? intrinsic_of(*call->getCalledFunction())
                                           : std::nullopt;
}

/// The dimension of a local id query.
int dimension_of(const Instruction& i) {
  return static_cast<int>(llvm::cast<llvm::ConstantInt>(i.getOperand(0))->getZExtValue());
}

bool has_inner_predecessor(const Region& region, BasicBlock* block) {
  return llvm::any_of(llvm::predecessors(block),
                      [&](BasicBlock* from) { return region.is_inner(from, block); });
}

bool accesses_spread_array(const Instruction& i) {
  const Value* pointer = llvm::getLoadStorePointerOperand(&i);
  return pointer && spread_array_of(pointer);
}

int ways_out(const Region& region) {
  if (region.last) return 1;
  return static_cast<int>(llvm::count_if(region.blocks, [&](BasicBlock* block) {
    return llvm::any_of(llvm::successors(block),
                        [&](BasicBlock* to) { return !region.is_inner(block, to); });
  }));
}

}  // namespace

RegionWriter::RegionWriter(GroupFrame& frame, const Region& region, BasicBlock* head,
                           const Outcomes& outcomes)
    : frame_(frame),
      region_(region),
      outcomes_(outcomes),
      context_(frame.group.function->getContext()),
      head_(head),
      in_head_(head),
      at_start_(context_),
      in_body_(context_),
      loops_(frame.group, region.is_tight_loop()),
      parallel_(items_are_independent(region, frame.exits)) {}

void RegionWriter::write() {
  llvm::Function* f = frame_.group.function;
  auto block = [&](llvm::StringRef name) { return BasicBlock::Create(context_, name, f); };
  if (loops_.has_blocks()) block_end_ = write_blocks();
  start_ = block("item");
  at_start_.SetInsertPoint(start_);
  for (BasicBlock* b : region_.blocks) blocks_[b] = block(b->getName());
  end_ = block("item_end");
  tail_ = block("regroup");
  if (const llvm::CallInst* operation = convergent_operation_of(*region_.entry))
    if (group_function(*operation->getCalledFunction())) write_group_function(*operation);
  for (BasicBlock* b : region_.blocks) write_block(*b);
  write_error_exits();
  fill_phis();
  at_start_.CreateBr(blocks_[region_.entry]);
  write_tail();
  if (has_nothing_for_items() && !block_end_) {
    in_head_.CreateBr(tail_);
    BasicBlock* body = blocks_[region_.entry];
    end_->replaceAllUsesWith(tail_);
    for (BasicBlock* dead : {start_, body}) dead->dropAllReferences();
    for (BasicBlock* dead : {start_, body, end_}) dead->eraseFromParent();
    loops_.drop();
    return;
  }
  // LLVM would remove an empty head, and could not unroll a loop over items that begins in the
  // same block as the loop around it.
  if (frame_.group.lanes > 0) in_head_.CreateIntrinsic(llvm::Intrinsic::sideeffect, {}, {});
  loops_.close_items(in_head_, start_, end_, tail_, parallel_ ? frame_.access_group : nullptr);
}

/// Writes the loops over blocks of items around a tight loop. Each block begins with the values of
/// the uniform phis at the loop's begin.
BasicBlock* RegionWriter::write_blocks() {
  llvm::Function* f = frame_.group.function;
  BasicBlock* start = BasicBlock::Create(context_, "block", f);
  BasicBlock* head = BasicBlock::Create(context_, "iteration", f);
  BasicBlock* end = BasicBlock::Create(context_, "block_end", f);
  IRBuilder<> b(head_);
  IRBuilder<> at_block(start);
  for (llvm::PHINode& phi : region_.entry->phis()) {
    const Variable& variable = frame_.phis[&phi];
    if (!variable.each_item) store(load(variable, b), variable, at_block);
  }
  at_block.CreateBr(head);
  const bool first = region_.last->getTerminator()->getSuccessor(0) == region_.entry;
  BasicBlock* after = frame_.heads[region_.last->getTerminator()->getSuccessor(first ? 1 : 0)];
  loops_.close_blocks(b, start, end, after);
  in_head_.SetInsertPoint(head);
  next_iteration_ = head;
  return end;
}

/// True if the head computes everything, because the whole region is uniform.
bool RegionWriter::has_nothing_for_items() const {
  return region_.blocks.size() == 1 && error_blocks_.empty() &&
         blocks_.lookup(region_.entry)->size() == 1;
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
  auto fill = [&](BasicBlock* block, auto comes_from) {
    for (llvm::PHINode& phi : block->phis()) {
      auto* copy = llvm::dyn_cast<llvm::PHINode>(values_[&phi]);
      if (!copy || copy->getParent() != blocks_[block]) continue;
      for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k)
        if (BasicBlock* from = phi.getIncomingBlock(k); comes_from(from))
          copy->addIncoming(value(phi.getIncomingValue(k)), blocks_[from]);
    }
  };
  for (BasicBlock* block : region_.blocks)
    fill(block, [&](BasicBlock* from) { return region_.is_inner(from, block); });
  for (BasicBlock* block : error_blocks_)
    fill(block, [&](BasicBlock* from) { return blocks_.contains(from); });
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
  const auto intrinsic = intrinsic_called(i);
  if (is_convergent(i)) return;
  if (intrinsic == Intrinsic::kLocalId) {
    values_[&i] = loops_.id(at_start_, dimension_of(i));
    return keep(i, values_[&i], in_body_);
  }
  if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&i)) {
    values_[&i] = from_outside(*array);
    return;
  }
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i))
    if (intrinsic->isLifetimeStartOrEnd()) return;
  if (Value* outcome = outcomes_.lookup(&i)) {
    values_[&i] = value(outcome);
    return keep(i, values_[&i], in_body_);
  }
  const bool in_head = !frame_.exits.leads_only_to_errors(i.getParent()) && write_in_head(i);
  Instruction* copy = i.clone();
  for (llvm::Use& operand : copy->operands()) operand.set(value(operand));
  copy->setName(i.getName());
  if (in_head) {
    known_in_head_.insert(&i);
    in_head_.Insert(copy);
  } else {
    in_body_.Insert(copy);
    mark(*copy);
    if (accesses_spread_array(i)) mark_own(*copy);
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

BasicBlock* RegionWriter::target(BasicBlock* from, BasicBlock* to) {
  if (frame_.exits.leads_only_to_errors(to)) {
    BasicBlock*& copy = blocks_[to];
    if (!copy) {
      copy = BasicBlock::Create(context_, "failed", frame_.group.function);
      error_blocks_.push_back(to);
    }
    return copy;
  }
  return region_.is_inner(from, to) ? blocks_[to] : end_;
}

void RegionWriter::write_terminator(BasicBlock& block) {
  const Instruction* end = frame_.exits.terminator(&block);
  if (!end && region_.last == &block) {
    in_body_.CreateBr(end_);
    return;
  }
  Instruction* copy = (end ? end : block.getTerminator())->clone();
  for (llvm::Use& operand : copy->operands()) {
    auto* to = llvm::dyn_cast<BasicBlock>(operand);
    operand.set(to ? target(&block, to) : value(operand));
  }
  copy->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  in_body_.Insert(copy);
}

void RegionWriter::write_error_exits() {
  for (size_t k = 0; k < error_blocks_.size(); ++k) {
    BasicBlock& block = *error_blocks_[k];
    in_body_.SetInsertPoint(blocks_[&block]);
    for (Instruction& i : block) {
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&i))
        values_[phi] = in_body_.CreatePHI(phi->getType(), phi->getNumIncomingValues());
      else if (intrinsic_called(i) == Intrinsic::kRaise)
        write_raise(llvm::cast<llvm::CallInst>(i));
      else if (!i.isTerminator())
        write_instruction(i);
    }
    if (llvm::isa<llvm::UnreachableInst>(block.getTerminator()))
      in_body_.CreateBr(end_);
    else
      write_terminator(block);
  }
}

void RegionWriter::write_raise(const llvm::CallInst& raise) {
  if (!frame_.recorder) frame_.recorder = make_error_recorder(*frame_.group.function->getParent());
  Value* id[3];
  for (int d = 0; d < 3; ++d) {
    Value* size = in_body_.getInt64(static_cast<uint64_t>(frame_.group.local_size[d]));
    id[d] = in_body_.CreateAdd(in_body_.CreateMul(frame_.group.group_id[d], size),
                               loops_.id(at_start_, d));
  }
  in_body_.CreateCall(frame_.recorder, {frame_.group.error, value(raise.getArgOperand(0)),
                                        value(raise.getArgOperand(1)), id[0], id[1], id[2]});
  in_body_.CreateStore(in_body_.getTrue(), frame_.failed);
}

GroupOperand RegionWriter::group_operand(Value* v) {
  GroupOperand operand;
  operand.type = v->getType();
  auto* i = llvm::dyn_cast<Instruction>(v);
  if (!i || frame_.crossing.is_uniform(*i))
    operand.same = value(v);
  else
    operand.array = frame_.values[i].memory;
  return operand;
}

void RegionWriter::write_group_function(const llvm::CallInst& operation) {
  const GroupFunction function = *group_function(*operation.getCalledFunction());
  const GroupOperand x = group_operand(operation.getArgOperand(0));
  GroupOperand index;
  if (operation.arg_size() > 1) index = group_operand(operation.getArgOperand(1));
  GroupFunctionWriter writer(in_head_, frame_.group.items(), frame_.group.sub_group_size);
  if (function.is_uniform()) {
    values_[&operation] = writer.write_uniform(function, x, index);
    known_in_head_.insert(&operation);
    keep(operation, values_[&operation], in_head_);
    return;
  }
  const Variable& results = frame_.values[&operation];
  writer.write_each(function, x, index, results.memory);
  values_[&operation] = load(results, at_start_);
}

void RegionWriter::write_tail() {
  IRBuilder<> b(tail_);
  for (auto& [phi, incoming] : phis_in_tail_) store(incoming, frame_.phis[phi], b);
  if (!error_blocks_.empty()) {
    BasicBlock* go_on = BasicBlock::Create(context_, "go_on", frame_.group.function);
    b.CreateCondBr(b.CreateLoad(b.getInt1Ty(), frame_.failed), frame_.leave, go_on);
    b.SetInsertPoint(go_on);
  }
  if (region_.join) {
    b.CreateBr(frame_.heads[region_.join]);
    return;
  }
  Instruction* copy = region_.last->getTerminator()->clone();
  for (llvm::Use& operand : copy->operands()) {
    if (auto* to = llvm::dyn_cast<BasicBlock>(operand))
      operand.set(!block_end_           ? frame_.heads[to]
                  : to == region_.entry ? next_iteration_
                                        : block_end_);
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
    result = address(frame_.private_arrays[array], at_start_);
  } else if (intrinsic_called(i) == Intrinsic::kLocalId) {
    result = loops_.id(at_start_, dimension_of(i));
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

Value* RegionWriter::address(const Variable& variable, IRBuilder<>& at) {
  if (!variable.each_item) return variable.memory;
  return at.CreateInBoundsGEP(variable.kept, variable.memory, loops_.linear_id(at_start_));
}

Value* RegionWriter::load(const Variable& variable, IRBuilder<>& at) {
  llvm::LoadInst* loaded = at.CreateLoad(variable.kept, address(variable, at));
  if (variable.each_item) mark_own(*loaded);
  return at.CreateTrunc(loaded, variable.type);
}

void RegionWriter::store(Value* value, const Variable& variable, IRBuilder<>& at) {
  value = at.CreateZExt(value, variable.kept);
  llvm::StoreInst* stored = at.CreateStore(value, address(variable, at));
  if (variable.each_item) mark_own(*stored);
}

/// Marks accesses to memory that items share. The language rules out that two items access the same
/// address between two barriers. Private arrays are not marked, although each item has its own:
/// LLVM would then ignore that an item's load follows its own store (interleaved accesses).
void RegionWriter::mark(Instruction& access) const {
  const Value* pointer = llvm::getLoadStorePointerOperand(&access);
  if (!pointer || !parallel_) return;
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  if (space == 1 || space == 3)
    access.setMetadata(llvm::LLVMContext::MD_access_group, frame_.access_group);
}

/// Marks an access to a variable with one element for each item.
void RegionWriter::mark_own(Instruction& access) const {
  if (parallel_) access.setMetadata(llvm::LLVMContext::MD_access_group, frame_.access_group);
}

}  // namespace hither::compiler
