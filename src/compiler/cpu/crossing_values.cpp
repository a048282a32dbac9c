#include "compiler/cpu/crossing_values.h"

#include <llvm/ADT/BitVector.h>
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

/// Finds out which slots would overwrite each other's values if they shared memory. An item reads
/// all slots at the begin of a region, before it writes any.
class SlotConflicts {
 public:
  explicit SlotConflicts(const std::vector<Slot>& slots) {
    for (const Slot slot : slots) numbers_.insert({slot, static_cast<unsigned>(numbers_.size())});
  }

  void add(const Region& region, llvm::ArrayRef<const llvm::Instruction*> read) {
    Visit visit;
    visit.region = &region;
    for (llvm::BitVector* bits : {&visit.read, &visit.overwritten, &visit.live})
      bits->resize(size());
    for (const llvm::Instruction* i : read) set(visit.read, {i, false});
    for (const llvm::PHINode& phi : region.entry->phis()) set(visit.read, {&phi, true});
    for (llvm::BasicBlock* block : region.blocks) {
      for (const llvm::Instruction& i : *block)
        write(visit, {&i, false}, &i, /*always=*/block == region.entry);
      for_each_outgoing_phi(region, block, [&](llvm::PHINode& phi, llvm::Value* value) {
        write(visit, {&phi, true}, value, /*always=*/region.blocks.size() == 1);
      });
    }
    visits_.push_back(std::move(visit));
  }

  /// Call it after the last region.
  void find_live() {
    llvm::DenseMap<const llvm::BasicBlock*, const Visit*> entries;
    for (const Visit& visit : visits_) entries[visit.region->entry] = &visit;
    for (bool changed = true; changed;) {
      changed = false;
      for (Visit& visit : llvm::reverse(visits_)) {
        const auto follow = [&](const llvm::BasicBlock* to) {
          const Visit* next = entries.lookup(to);
          if (!next) return;
          llvm::BitVector live = next->live;
          live.reset(next->overwritten);
          live |= next->read;
          changed |= live.test(visit.live);
          visit.live |= live;
        };
        const Region& region = *visit.region;
        if (region.join) follow(region.join);
        if (!region.join && region.last) llvm::for_each(llvm::successors(region.last), follow);
      }
    }
  }

  bool conflict(Slot x, Slot y) const {
    const unsigned a = numbers_.lookup(x), b = numbers_.lookup(y);
    return llvm::any_of(visits_, [&](const Visit& visit) {
      const auto by_a = visit.written.find(a), by_b = visit.written.find(b),
                 none = visit.written.end();
      const bool same =
          by_a != none && by_b != none && by_a->second && by_a->second == by_b->second;
      return !same &&
             ((by_a != none && visit.live.test(b)) || (by_b != none && visit.live.test(a)));
    });
  }

 private:
  /// What one run of a region does with slots.
  struct Visit {
    const Region* region = nullptr;
    llvm::BitVector read, overwritten, live;               ///< live: needed afterwards
    llvm::DenseMap<unsigned, const llvm::Value*> written;  ///< null: several values
  };

  unsigned size() const { return static_cast<unsigned>(numbers_.size()); }

  void set(llvm::BitVector& bits, Slot slot) const {
    if (const auto found = numbers_.find(slot); found != numbers_.end()) bits.set(found->second);
  }

  void write(Visit& visit, Slot slot, const llvm::Value* value, bool always) const {
    const auto found = numbers_.find(slot);
    if (found == numbers_.end()) return;
    const auto [written, is_new] = visit.written.try_emplace(found->second, value);
    if (!is_new && written->second != value) written->second = nullptr;
    if (always) visit.overwritten.set(found->second);
  }

  llvm::DenseMap<Slot, unsigned> numbers_;
  std::vector<Visit> visits_;
};

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
      use_by_group_function(*region, *operation);
    use_in_exits(*region);
    // A uniform branch runs once, outside of the item loops.
    if (region->last)
      for (const llvm::Use& operand : region->last->getTerminator()->operands())
        if (auto* i = llvm::dyn_cast<llvm::Instruction>(operand)) kept_.insert(i);
  }
  share_memory(regions);
}

/// Results of group functions keep memory of their own: they are written while others are read.
void CrossingValues::share_memory(const std::vector<std::unique_ptr<Region>>& regions) {
  std::vector<Slot> slots;
  for (const llvm::Instruction* i : kept_)
    if (!is_uniform(*i) && !is_convergent(*i)) slots.push_back({i, false});
  for (const llvm::PHINode* phi : phis_)
    if (!is_uniform(*phi)) slots.push_back({phi, true});
  SlotConflicts conflicts(slots);
  for (const auto& region : regions) conflicts.add(*region, read_[region.get()].getArrayRef());
  conflicts.find_live();
  llvm::DenseMap<Slot, llvm::SmallVector<Slot, 4>> sharing;
  for (const Slot slot : slots) {
    first_[slot] = slot;
    sharing[slot] = {slot};
  }
  const auto share = [&](Slot x, Slot y) {
    if (!first_.contains(y) || first_of(x) == first_of(y)) return;
    llvm::SmallVector<Slot, 4>&to = sharing[first_of(x)], &from = sharing[first_of(y)];
    for (const Slot a : to)
      for (const Slot b : from)
        if (conflicts.conflict(a, b)) return;
    for (const Slot b : from) first_[b] = to.front();
    to.append(from);
  };
  for (const llvm::PHINode* phi : phis_) {
    if (is_uniform(*phi)) continue;
    share({phi, true}, {phi, false});
    for (const llvm::Value* incoming : phi->incoming_values())
      if (auto* i = llvm::dyn_cast<llvm::Instruction>(incoming)) {
        share({phi, true}, {i, false});
        share({phi, true}, {i, true});
      }
  }
}

Slot CrossingValues::first_of(Slot slot) const {
  const auto found = first_.find(slot);
  return found == first_.end() ? slot : found->second;
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
    read_[&region].insert(i);
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
void CrossingValues::use_by_group_function(const Region& region, const llvm::CallInst& operation) {
  for (const llvm::Use& argument : operation.args())
    if (auto* i = llvm::dyn_cast<llvm::Instruction>(argument)) {
      kept_.insert(i);
      read_[&region].insert(i);
    }
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
