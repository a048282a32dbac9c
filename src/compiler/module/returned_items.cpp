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

/// What becomes of one region: `front`, which all items run; `body`, which those that have returned
/// skip; `back`, where they are together again.
struct Parts {
  BasicBlock* front = nullptr;
  llvm::CallInst* meeting = nullptr;  ///< that the front begins with
  Instruction* front_end = nullptr;   ///< copies of steady values stand before it
  BasicBlock* body = nullptr;         ///< null where nothing is to be skipped
  BasicBlock* back = nullptr;
  llvm::DenseSet<const BasicBlock*> skipped;
  llvm::SmallVector<std::pair<llvm::PHINode*, Value*>, 4> phis;  ///< steady ones of what follows
};

/// Where an early exit is, and what follows it.
struct Leaving {
  const WalkedRegion* region;
  llvm::SmallVector<BasicBlock*, 4> way;
};

class Writer {
 public:
  Writer(llvm::Function& f, WalkPlan& plan) : f_(f), plan_(plan) {}

  void write() {
    make_flag();
    find_ways_out();
    for (WalkedRegion& region : plan_.regions())
      if (region.passes()) begin(region);
    for (WalkedRegion& region : plan_.regions())
      if (region.passes()) keep_steady(region);
    for (WalkedRegion& region : plan_.regions())
      if (region.is_late) demote_phis(region);
    for (WalkedRegion& region : plan_.regions())
      if (region.passes()) split(region);
    for (WalkedRegion& region : plan_.regions())
      if (region.passes()) demote_values(region);
    for (WalkedRegion& region : plan_.regions())
      if (region.is_late && parts_[&region].body) guard(region);
    for (const EarlyExit& exit : plan_.exits().all()) lead_on(exit);
    for (WalkedRegion& region : plan_.regions())
      if (region.passes()) meet(region);
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

  bool is_end(const WalkedRegion& region) const { return region.region->entry == plan_.end(); }

  void begin(WalkedRegion& region) {
    Parts& parts = parts_[&region];
    parts.front = region.region->entry;
    parts.front_end = parts.front->getTerminator();
    if (!region.is_late) return;
    parts.front_end = &*parts.front->getFirstNonPHIIt();
    if (!is_meeting(*parts.front_end)) return;
    parts.meeting = llvm::cast<llvm::CallInst>(parts.front_end);
    parts.front_end = parts.meeting->getNextNode();
  }

  /// By the edges that leave the region, and by the condition that says which: copies that items
  /// compute whether they have returned or not.
  void keep_steady(WalkedRegion& region) {
    Parts& parts = parts_[&region];
    SteadyValues& steady = plan_.steady();
    if (plan_.way_of(region) == WalkPlan::Way::kSteady) {
      auto* branch = llvm::cast<llvm::BranchInst>(region.region->last->getTerminator());
      branch->setCondition(steady.materialise(branch->getCondition(), region, parts.front_end));
    }
    llvm::DenseSet<const BasicBlock*> seen;
    for (BasicBlock* to : ways_from(region)) {
      if (!seen.insert(to).second) continue;
      for (llvm::PHINode& phi : to->phis()) {
        if (!steady.is_steady_phi(&phi)) continue;
        Value* value = nullptr;
        for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
          if (plan_.region_of(phi.getIncomingBlock(k)) != &region) continue;
          if (!value) value = steady.materialise(phi.getIncomingValue(k), region, parts.front_end);
          phi.setIncomingValue(k, value);
        }
        if (value) parts.phis.push_back({&phi, value});
      }
    }
  }

  static llvm::SmallVector<BasicBlock*, 2> ways_from(const WalkedRegion& region) {
    if (region.region->join) return {region.region->join};
    if (!region.region->last) return {};
    return llvm::SmallVector<BasicBlock*, 2>(llvm::successors(region.region->last));
  }

  /// Where the other ways here are from is not known to those that skip them.
  void demote_phis(WalkedRegion& region) {
    llvm::SmallVector<llvm::PHINode*, 8> phis;
    for (llvm::PHINode& phi : region.region->entry->phis())
      if (!plan_.steady().is_steady_phi(&phi)) phis.push_back(&phi);
    for (llvm::PHINode* phi : phis) variables_.push_back(llvm::DemotePHIToStack(phi, place()));
  }

  BasicBlock::iterator place() { return f_.getEntryBlock().begin(); }

  /// Nothing but the terminator and what any item may compute.
  static bool is_light(const WalkedRegion& region, const Parts& parts) {
    if (region.region->members.size() > 1 || region.has_exits) return false;
    for (const Instruction* i = parts.front_end; !i->isTerminator(); i = i->getNextNode())
      if (!llvm::isSafeToSpeculativelyExecute(i)) return false;
    return true;
  }

  void split(WalkedRegion& region) {
    Parts& parts = parts_[&region];
    BasicBlock* last = region.region->last;
    for (const BasicBlock* block : region.region->members)
      if (block != region.region->entry && block != plan_.end()) parts.skipped.insert(block);
    if (is_end(region)) return;
    if (region.is_late && !is_light(region, parts)) {
      parts.body = parts.front->splitBasicBlock(parts.front_end, "remaining");
      parts.front_end = parts.front->getTerminator();
      parts.skipped.insert(parts.body);
      plan_.add_block(parts.body, region);
      if (last == parts.front) last = parts.body;
    }
    if (last && (parts.body || region.has_exits))
      parts.back = last->splitBasicBlock(last->getTerminator(), "walk");
    else
      parts.back = last;
  }

  /// What those that skip the body cannot compute as well stays in variables.
  void demote_values(WalkedRegion& region) {
    Parts& parts = parts_[&region];
    llvm::SmallVector<Instruction*, 16> values;
    for (BasicBlock& block : f_) {
      if (!parts.skipped.contains(&block)) continue;
      for (Instruction& i : block)
        if (is_used_outside(i, parts)) values.push_back(&i);
    }
    for (Instruction* i : values)
      if (plan_.steady().is_steady(i))
        i->replaceAllUsesWith(plan_.steady().materialise(i, region, parts.front_end));
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

  /// Where items that have returned go on from a region.
  BasicBlock* way_on(const WalkedRegion& region) {
    const Parts& parts = parts_[&region];
    BasicBlock* on = region.region->join ? region.region->join : parts.back;
    return plan_.leads_to_meeting(region.region->entry) && on ? on : plan_.end();
  }

  void guard(WalkedRegion& region) {
    Parts& parts = parts_[&region];
    parts.front->getTerminator()->eraseFromParent();
    IRBuilder<> b(parts.front);
    BasicBlock* on = way_on(region);
    b.CreateCondBr(b.CreateLoad(b.getInt1Ty(), flag_), on, parts.body);
    add_ways(on, parts.front, parts);
  }

  static void add_ways(BasicBlock* to, BasicBlock* from, const Parts& parts) {
    for (auto& [phi, value] : parts.phis)
      if (phi->getParent() == to) phi->addIncoming(value, from);
  }

  /// What is each exit's own, before any of it leads elsewhere.
  void find_ways_out() {
    for (const EarlyExit& exit : plan_.exits().all()) {
      WalkedRegion* region = plan_.region_of(exit.branch->getParent());
      Leaving& leaving = leaving_[exit.branch];
      leaving = {region, way_out_of(exit, plan_.end())};
      for (const BasicBlock* block : leaving.way)
        if (ways_out_.try_emplace(block, region).first->second != region)
          refuse(f_.getName().str(),
                 "several early returns between which items meet end in the same code; give each "
                 "of them its own");
    }
  }

  /// An item that returns does what is its own, sets the flag and skips the rest of its region.
  void lead_on(const EarlyExit& exit) {
    const Leaving& leaving = leaving_[exit.branch];
    BasicBlock* returns = returns_from(*leaving.region);
    if (leaving.way.empty()) exit.branch->replaceSuccessorWith(plan_.end(), returns);
    for (BasicBlock* block : leaving.way)
      block->getTerminator()->replaceSuccessorWith(plan_.end(), returns);
  }

  BasicBlock* returns_from(const WalkedRegion& region) {
    BasicBlock*& returns = returns_[&region];
    if (returns) return returns;
    returns = BasicBlock::Create(f_.getContext(), "returns", &f_);
    IRBuilder<> b(returns);
    b.CreateStore(b.getTrue(), flag_);
    BasicBlock* on = way_on(region);
    b.CreateBr(on);
    add_ways(on, returns, parts_[&region]);
    return returns;
  }

  void meet(WalkedRegion& region) {
    Parts& parts = parts_[&region];
    if (parts.meeting) meet_with_returned(*parts.meeting, flag_);
    const WalkPlan::Way way = plan_.way_of(region);
    if (way == WalkPlan::Way::kVote0 || way == WalkPlan::Way::kVote1)
      vote(*llvm::cast<llvm::BranchInst>(parts.back->getTerminator()), flag_,
           way == WalkPlan::Way::kVote0);
  }

  void promote() {
    llvm::DominatorTree dominators(f_);
    llvm::SmallVector<llvm::AllocaInst*, 16> promotable;
    for (llvm::AllocaInst* variable : variables_)
      if (variable && llvm::isAllocaPromotable(variable)) promotable.push_back(variable);
    llvm::PromoteMemToReg(promotable, dominators);
  }

  llvm::Function& f_;
  WalkPlan& plan_;
  llvm::AllocaInst* flag_ = nullptr;
  llvm::SmallVector<llvm::AllocaInst*, 16> variables_;
  llvm::DenseMap<const WalkedRegion*, Parts> parts_;
  llvm::DenseMap<const llvm::BranchInst*, Leaving> leaving_;
  llvm::DenseMap<const WalkedRegion*, BasicBlock*> returns_;
  llvm::DenseMap<const BasicBlock*, const WalkedRegion*> ways_out_;
};

}  // namespace

void write_walk(llvm::Function& f, WalkPlan& plan) { Writer(f, plan).write(); }

}  // namespace hither::compiler
