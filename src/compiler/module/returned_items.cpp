#include "compiler/module/returned_items.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/module/convergent_operation.h"
#include "compiler/module/diagnostics.h"
#include "compiler/module/masked_operations.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::IRBuilder;
using llvm::Value;

/// The parts of one region after the rewriting: `front`, which all items run; `body`, which items
/// that have returned skip; `back`, where both reconverge.
struct Parts {
  BasicBlock* front = nullptr;
  llvm::CallInst* operation = nullptr;  ///< at the begin of the front
  Instruction* front_end = nullptr;     ///< copies of invariant values are inserted before it
  BasicBlock* body = nullptr;           ///< null if there is nothing to skip
  BasicBlock* back = nullptr;
  llvm::DenseSet<const BasicBlock*> skipped;
  llvm::SmallVector<std::pair<llvm::PHINode*, Value*>, 4> phis;  ///< invariant, of later regions
};

/// The blocks of an early exit and its region.
struct ExitPath {
  const PlannedRegion* region;
  llvm::SmallVector<BasicBlock*, 4> blocks;
};

class Writer {
 public:
  Writer(llvm::Function& f, ReturnPlan& plan) : f_(f), plan_(plan) {}

  void write() {
    make_flag();
    find_exit_blocks();
    for (PlannedRegion& region : plan_.regions())
      if (region.may_hold_returned()) begin(region);
    for (PlannedRegion& region : plan_.regions())
      if (region.may_hold_returned()) keep_invariant(region);
    for (PlannedRegion& region : plan_.regions())
      if (region.follows_exit) demote_phis(region);
    for (PlannedRegion& region : plan_.regions())
      if (region.may_hold_returned()) split(region);
    for (PlannedRegion& region : plan_.regions())
      if (region.may_hold_returned()) demote_values(region);
    for (PlannedRegion& region : plan_.regions())
      if (region.follows_exit && parts_[&region].body) guard(region);
    for (const EarlyExit& exit : plan_.exits().all()) redirect(exit);
    for (PlannedRegion& region : plan_.regions())
      if (region.may_hold_returned()) mask(region);
    llvm::removeUnreachableBlocks(f_);
    promote();
  }

 private:
  void make_flag() {
    IRBuilder<> b(&f_.getEntryBlock(), f_.getEntryBlock().begin());
    flag_ = b.CreateAlloca(b.getInt1Ty(), nullptr, "returned");
    variables_.push_back(flag_);
    b.CreateStore(b.getFalse(), flag_);
  }

  bool is_end(const PlannedRegion& region) const { return region.region->entry == plan_.end(); }

  void begin(PlannedRegion& region) {
    Parts& parts = parts_[&region];
    parts.front = region.region->entry;
    parts.front_end = parts.front->getTerminator();
    if (!region.follows_exit) return;
    parts.front_end = &*parts.front->getFirstNonPHIIt();
    if (!is_convergent(*parts.front_end)) return;
    parts.operation = llvm::cast<llvm::CallInst>(parts.front_end);
    parts.front_end = parts.operation->getNextNode();
  }

  /// Computes the invariant values that leave the region, and its invariant branch condition, in
  /// the front, where all items compute them.
  void keep_invariant(PlannedRegion& region) {
    Parts& parts = parts_[&region];
    InvariantValues& invariant = plan_.invariant();
    if (plan_.branching_of(region) == ReturnPlan::Branching::kInvariant) {
      auto* branch = llvm::cast<llvm::BranchInst>(region.region->last->getTerminator());
      branch->setCondition(invariant.materialise(branch->getCondition(), region, parts.front_end));
    }
    llvm::DenseSet<const BasicBlock*> seen;
    for (BasicBlock* to : successors_of(region)) {
      if (!seen.insert(to).second) continue;
      for (llvm::PHINode& phi : to->phis()) {
        if (!invariant.is_invariant_phi(&phi)) continue;
        Value* value = nullptr;
        for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
          if (plan_.region_of(phi.getIncomingBlock(k)) != &region) continue;
          if (!value)
            value = invariant.materialise(phi.getIncomingValue(k), region, parts.front_end);
          phi.setIncomingValue(k, value);
        }
        if (value) parts.phis.push_back({&phi, value});
      }
    }
  }

  static llvm::SmallVector<BasicBlock*, 2> successors_of(const PlannedRegion& region) {
    if (region.region->join) return {region.region->join};
    if (!region.region->last) return {};
    return llvm::SmallVector<BasicBlock*, 2>(llvm::successors(region.region->last));
  }

  /// Demotes phis to variables, because items that skip the predecessors have no values for them.
  void demote_phis(PlannedRegion& region) {
    llvm::SmallVector<llvm::PHINode*, 8> phis;
    for (llvm::PHINode& phi : region.region->entry->phis())
      if (!plan_.invariant().is_invariant_phi(&phi)) phis.push_back(&phi);
    for (llvm::PHINode* phi : phis) variables_.push_back(llvm::DemotePHIToStack(phi, place()));
  }

  BasicBlock::iterator place() { return f_.getEntryBlock().begin(); }

  /// Whether the region consists only of its terminator and instructions that may be speculated.
  static bool is_light(const PlannedRegion& region, const Parts& parts) {
    if (region.region->members.size() > 1 || region.has_exits) return false;
    for (const Instruction* i = parts.front_end; !i->isTerminator(); i = i->getNextNode())
      if (!llvm::isSafeToSpeculativelyExecute(i)) return false;
    return true;
  }

  void split(PlannedRegion& region) {
    Parts& parts = parts_[&region];
    BasicBlock* last = region.region->last;
    for (const BasicBlock* block : region.region->members)
      if (block != region.region->entry && block != plan_.end()) parts.skipped.insert(block);
    if (is_end(region)) return;
    if (region.follows_exit && !is_light(region, parts)) {
      parts.body = parts.front->splitBasicBlock(parts.front_end, "remaining");
      parts.front_end = parts.front->getTerminator();
      parts.skipped.insert(parts.body);
      plan_.add_block(parts.body, region);
      if (last == parts.front) last = parts.body;
    }
    if (last && (parts.body || region.has_exits))
      parts.back = last->splitBasicBlock(last->getTerminator(), "reconverged");
    else
      parts.back = last;
  }

  /// Demotes values of the body to variables unless the front can compute them.
  void demote_values(PlannedRegion& region) {
    Parts& parts = parts_[&region];
    llvm::SmallVector<Instruction*, 16> values;
    for (BasicBlock& block : f_) {
      if (!parts.skipped.contains(&block)) continue;
      for (Instruction& i : block)
        if (is_used_outside(i, parts)) values.push_back(&i);
    }
    for (Instruction* i : values)
      if (plan_.invariant().is_invariant(i))
        i->replaceAllUsesWith(plan_.invariant().materialise(i, region, parts.front_end));
      else
        variables_.push_back(llvm::DemoteRegToStack(*i, /*VolatileLoads=*/false, place()));
  }

  static bool is_used_outside(const Instruction& i, const Parts& parts) {
    return llvm::any_of(i.uses(), [&](const llvm::Use& use) {
      const auto* user = llvm::cast<Instruction>(use.getUser());
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      return !parts.skipped.contains(phi ? phi->getIncomingBlock(use) : user->getParent());
    });
  }

  /// The block where items that have returned continue after a region.
  BasicBlock* next_block(const PlannedRegion& region) {
    const Parts& parts = parts_[&region];
    BasicBlock* on = region.region->join ? region.region->join : parts.back;
    return plan_.leads_to_convergent(region.region->entry) && on ? on : plan_.end();
  }

  void guard(PlannedRegion& region) {
    Parts& parts = parts_[&region];
    parts.front->getTerminator()->eraseFromParent();
    IRBuilder<> b(parts.front);
    BasicBlock* on = next_block(region);
    b.CreateCondBr(b.CreateLoad(b.getInt1Ty(), flag_), on, parts.body);
    add_incoming(on, parts.front, parts);
  }

  static void add_incoming(BasicBlock* to, BasicBlock* from, const Parts& parts) {
    for (auto& [phi, value] : parts.phis)
      if (phi->getParent() == to) phi->addIncoming(value, from);
  }

  /// Finds the blocks of each early exit, before the exits are redirected.
  void find_exit_blocks() {
    for (const EarlyExit& exit : plan_.exits().all()) {
      PlannedRegion* region = plan_.region_of(exit.branch->getParent());
      ExitPath& path = exit_paths_[exit.branch];
      path = {region, exit_blocks(exit, plan_.end())};
      for (const BasicBlock* block : path.blocks)
        if (exit_regions_.try_emplace(block, region).first->second != region)
          refuse(f_.getName().str(),
                 "early returns before and after a barrier or group function share their code; "
                 "give each of them its own copy");
    }
  }

  /// Makes the exit set the flag and skip the rest of its region after its own blocks.
  void redirect(const EarlyExit& exit) {
    const ExitPath& path = exit_paths_[exit.branch];
    BasicBlock* returns = return_block(*path.region);
    if (path.blocks.empty()) exit.branch->replaceSuccessorWith(plan_.end(), returns);
    for (BasicBlock* block : path.blocks)
      block->getTerminator()->replaceSuccessorWith(plan_.end(), returns);
  }

  BasicBlock* return_block(const PlannedRegion& region) {
    BasicBlock*& returns = returns_[&region];
    if (returns) return returns;
    returns = BasicBlock::Create(f_.getContext(), "returns", &f_);
    IRBuilder<> b(returns);
    b.CreateStore(b.getTrue(), flag_);
    BasicBlock* on = next_block(region);
    b.CreateBr(on);
    add_incoming(on, returns, parts_[&region]);
    return returns;
  }

  void mask(PlannedRegion& region) {
    Parts& parts = parts_[&region];
    if (parts.operation) mask_operation(*parts.operation, flag_);
    const ReturnPlan::Branching branching = plan_.branching_of(region);
    if (branching == ReturnPlan::Branching::kVote0 || branching == ReturnPlan::Branching::kVote1)
      vote_on_branch(*llvm::cast<llvm::BranchInst>(parts.back->getTerminator()), flag_,
                     branching == ReturnPlan::Branching::kVote0);
  }

  void promote() {
    llvm::DominatorTree dominators(f_);
    llvm::SmallVector<llvm::AllocaInst*, 16> promotable;
    for (llvm::AllocaInst* variable : variables_)
      if (variable && llvm::isAllocaPromotable(variable)) promotable.push_back(variable);
    llvm::PromoteMemToReg(promotable, dominators);
  }

  llvm::Function& f_;
  ReturnPlan& plan_;
  llvm::AllocaInst* flag_ = nullptr;
  llvm::SmallVector<llvm::AllocaInst*, 16> variables_;
  llvm::DenseMap<const PlannedRegion*, Parts> parts_;
  llvm::DenseMap<const llvm::BranchInst*, ExitPath> exit_paths_;
  llvm::DenseMap<const PlannedRegion*, BasicBlock*> returns_;
  llvm::DenseMap<const BasicBlock*, const PlannedRegion*> exit_regions_;
};

}  // namespace

void rewrite_early_returns(llvm::Function& f, ReturnPlan& plan) { Writer(f, plan).write(); }

}  // namespace hither::compiler
