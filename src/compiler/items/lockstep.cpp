#include "compiler/items/lockstep.h"

#include <algorithm>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/items/common_values.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

/// A level is a loop of the region, or null: the region itself.
using Level = Loop*;
using Blocks = llvm::SmallVector<BasicBlock*, 8>;

/// Part of a level: a block, or a whole loop.
struct Node {
  BasicBlock* block;  ///< the header of a loop
  Level loop = nullptr;
};

class Lockstep {
 public:
  Lockstep(llvm::Function& f, const DivergentRegion& region, const llvm::LoopInfo& loops,
           const Uniformity& uniformity)
      : f_(f),
        region_(region),
        loops_(loops),
        common_(f, region, loops, uniformity),
        b_(f.getContext()) {
    for (BasicBlock* block : region.blocks) {
      numbers_[block] = static_cast<uint32_t>(numbers_.size() + 1);
      sources_[block] = Blocks(llvm::predecessors(block));
    }
  }

  void run() {
    demote();
    make_places();
    BasicBlock* start = new_block("lockstep");
    redirect(*region_.before, nullptr, {}, start);
    b_.SetInsertPoint(write_level(nullptr, start));
    b_.CreateBr(region_.join);
  }

 private:
  // -- Values ---------------------------------------------------------------------------------

  /// Keeps the region's values in variables, as far as other blocks use them.
  void demote() {
    share_variables();
    llvm::SmallVector<llvm::PHINode*, 16> phis;
    for (BasicBlock* block : region_.blocks) add_phis(*block, phis);
    add_phis(*region_.join, phis);
    for (llvm::PHINode* phi : phis) llvm::DemotePHIToStack(phi, allocas());
    llvm::SmallVector<Instruction*, 16> values;
    for (BasicBlock* block : region_.blocks)
      for (Instruction& i : *block)
        if (!common_.contains(&i) && i.isUsedOutsideOfBlock(block)) values.push_back(&i);
    for (Instruction* i : values) llvm::DemoteRegToStack(*i, /*VolatileLoads=*/false, allocas());
  }

  void add_phis(BasicBlock& block, llvm::SmallVectorImpl<llvm::PHINode*>& phis) const {
    for (llvm::PHINode& phi : block.phis())
      if (!common_.contains(&phi)) phis.push_back(&phi);
  }

  /// The results of a loop are the last values of its phis. They share the variables of these phis,
  /// which an item does not change any more once it has left the loop.
  void share_variables() {
    for (Loop* loop : loops_.getLoopsInPreorder()) {
      if (!region_.contains(loop->getHeader())) continue;
      llvm::SmallVector<llvm::PHINode*, 8> phis;
      add_phis(*loop->getHeader(), phis);
      for (llvm::PHINode* phi : phis) {
        const auto results = results_of(*phi, *loop);
        if (results.empty() || phi->use_empty()) continue;
        Value* next = phi->getIncomingValueForBlock(loop->getLoopLatch());
        llvm::AllocaInst* variable = llvm::DemotePHIToStack(phi, allocas());
        for (llvm::PHINode* result : results) share(*result, next, *variable);
      }
    }
  }

  static void share(llvm::PHINode& result, Value* next, llvm::AllocaInst& variable) {
    for (BasicBlock* from : result.blocks())
      if (result.getIncomingValueForBlock(from) == next)
        new llvm::StoreInst(next, &variable, from->getTerminator()->getIterator());
    BasicBlock* block = result.getParent();
    auto* value = new llvm::LoadInst(result.getType(), &variable, "", block->getFirstInsertionPt());
    result.replaceAllUsesWith(value);
    result.eraseFromParent();
  }

  /// The phis in exit blocks that have the value of the next iteration at every exit. If there are
  /// none, those that have it at the latch alone and the value of `phi` at other exits. Not both,
  /// because an item stores the next value before it decides whether it leaves.
  llvm::SmallVector<llvm::PHINode*, 2> results_of(llvm::PHINode& phi, const Loop& loop) const {
    BasicBlock* latch = loop.getLoopLatch();
    Value* next = phi.getIncomingValueForBlock(latch);
    llvm::SmallVector<BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    llvm::SmallVector<llvm::PHINode*, 2> results;
    for (const Value* early : {next, static_cast<Value*>(&phi)}) {
      for (BasicBlock* exit : exits)
        for (llvm::PHINode& result : exit->phis())
          if (llvm::all_of(result.blocks(), [&](BasicBlock* from) {
                const Value* value = result.getIncomingValueForBlock(from);
                return loop.contains(from) && value == (from == latch ? next : early);
              }))
            results.push_back(&result);
      if (!results.empty()) break;
    }
    return results;
  }

  BasicBlock::iterator allocas() { return f_.getEntryBlock().getFirstInsertionPt(); }

  // -- Places ---------------------------------------------------------------------------------

  /// A variable for each level holds the number of the block at which the item continues there.
  void make_places() {
    places_[nullptr] = make_place();
    for (BasicBlock* block : region_.blocks)
      if (Level loop = region_.loop_of(loops_, block); loop && loop->getHeader() == block)
        places_[loop] = make_place();
  }

  llvm::AllocaInst* make_place() {
    b_.SetInsertPoint(&f_.getEntryBlock(), allocas());
    llvm::AllocaInst* place = b_.CreateAlloca(b_.getInt32Ty(), nullptr, "place");
    b_.CreateStore(b_.getInt32(kNowhere), place);
    return place;
  }

  uint32_t number_of(const BasicBlock* block) const {
    return block == region_.join ? kNowhere : numbers_.lookup(block);
  }

  void set_place(Level level, uint32_t number) {
    b_.CreateStore(b_.getInt32(number), places_[level]);
  }

  Value* is_at(Level level, const BasicBlock* block) {
    Value* place = b_.CreateLoad(b_.getInt32Ty(), places_[level]);
    return b_.CreateICmpEQ(place, b_.getInt32(numbers_[block]));
  }

  Level outer(Level level) const { return region_.parent_of(*level); }

  /// The level in which an item that comes from `from` waits for `to`.
  Level level_of_edge(const BasicBlock* from, const BasicBlock* to) const {
    if (to == region_.join) return nullptr;
    Level level = region_.loop_of(loops_, to);
    const bool enters = level && level->getHeader() == to && !level->contains(from);
    return enters ? outer(level) : level;
  }

  // -- Control flow ---------------------------------------------------------------------------

  BasicBlock* new_block(const char* name) { return BasicBlock::Create(f_.getContext(), name, &f_); }

  /// Sends the item to the end of its level's segment, where it waits for `to`.
  BasicBlock* leave(BasicBlock* from, Level level, BasicBlock* to, BasicBlock* end) {
    BasicBlock* block = new_block("leave");
    b_.SetInsertPoint(block);
    const Level target = level_of_edge(from, to);
    Level left = nullptr;
    for (; level != target; level = outer(level)) set_place(left = level, kNowhere);
    if (!left || only_exits_.lookup(left) != to) set_place(target, number_of(to));
    b_.CreateBr(end);
    return block;
  }

  /// Replaces the edges of `block` that do not stay in its segment.
  void redirect(BasicBlock& block, Level level, llvm::ArrayRef<BasicBlock*> segment,
                BasicBlock* end) {
    Instruction& branch = *block.getTerminator();
    branch.setMetadata(llvm::LLVMContext::MD_loop, nullptr);
    for (unsigned k = 0; k < branch.getNumSuccessors(); ++k)
      if (BasicBlock* to = branch.getSuccessor(k); !stays(&block, to, level, segment))
        branch.setSuccessor(k, leave(&block, level, to, end));
  }

  static bool stays(BasicBlock* from, BasicBlock* to, Level level,
                    llvm::ArrayRef<BasicBlock*> segment) {
    const bool repeats = level && to == level->getHeader();
    return !repeats && llvm::is_contained(segment, from) && llvm::is_contained(segment, to);
  }

  /// Writes the blocks and loops of a level from `at` on. Returns the last block, which has no
  /// terminator.
  BasicBlock* write_level(Level level, BasicBlock* at) {
    Blocks segment;
    for (const Node& node : order(level)) {
      const auto is_atomic = [](Instruction& i) { return llvm::isa<llvm::AtomicRMWInst>(i); };
      if (!node.loop && llvm::none_of(*node.block, is_atomic)) {
        segment.push_back(node.block);
        continue;
      }
      at = write_segment(level, segment, at);
      at = node.loop ? write_loop(*node.loop, at) : write_updates(level, node.block, at);
      segment.clear();
    }
    return write_segment(level, segment, at);
  }

  /// An update runs for one item after the other. Barriers keep it out of the loops over items that
  /// LLVM vectorises.
  BasicBlock* write_updates(Level level, BasicBlock* block, BasicBlock* at) {
    write_barrier(at);
    at = write_segment(level, block, at);
    write_barrier(at);
    return at;
  }

  void write_barrier(BasicBlock* at) {
    b_.SetInsertPoint(at);
    b_.CreateCall(
        f_.getParent()->getOrInsertFunction("hither.barrier", b_.getVoidTy(), b_.getInt32Ty()),
        {b_.getInt32(kLocalFence)});
  }

  /// Blocks without loops: an item enters at its place, if that is one of them.
  BasicBlock* write_segment(Level level, llvm::ArrayRef<BasicBlock*> segment, BasicBlock* at) {
    if (segment.empty()) return at;
    BasicBlock* end = new_block("segment_end");
    for (BasicBlock* block : segment) {
      if (llvm::all_of(sources_[block],
                       [&](BasicBlock* from) { return stays(from, block, level, segment); }))
        continue;
      BasicBlock* other = new_block("other");
      b_.SetInsertPoint(at);
      b_.CreateCondBr(is_at(level, block), block, other);
      at = other;
    }
    b_.SetInsertPoint(at);
    b_.CreateBr(end);
    for (BasicBlock* block : segment) redirect(*block, level, segment, end);
    return end;
  }

  /// An iteration begins with the items that are still in the loop; the others wait for its end.
  BasicBlock* write_loop(Loop& loop, BasicBlock* at) {
    BasicBlock* head = new_block("iteration");
    BasicBlock* header = loop.getHeader();
    b_.SetInsertPoint(at);
    Value* is_here = is_at(outer(&loop), header);
    Value* enters = b_.CreateZExt(is_here, b_.getInt8Ty());
    set_only_exit(loop, is_here);
    BasicBlock* after = new_block("after");
    if (all_enter(loop))
      b_.CreateBr(head);
    else
      b_.CreateCondBr(any_of(enters), head, after);
    move_common(loop, at, head);
    b_.SetInsertPoint(head, head->getFirstNonPHIIt());
    llvm::PHINode* runs = b_.CreatePHI(b_.getInt8Ty(), 2, "runs");
    b_.SetInsertPoint(head);
    b_.CreateStore(b_.CreateSelect(b_.CreateIsNotNull(runs), b_.getInt32(numbers_[header]),
                                   b_.getInt32(kNowhere)),
                   places_[&loop]);
    BasicBlock* last = write_level(&loop, head);
    b_.SetInsertPoint(last);
    Value* runs_again = b_.CreateZExt(is_at(&loop, header), b_.getInt8Ty());
    b_.CreateCondBr(any_of(runs_again), head, after);
    runs->addIncoming(enters, at);
    runs->addIncoming(runs_again, last);
    for (const CommonCounter& counter : common_.counters(loop))
      counter.phi->replaceIncomingBlockWith(counter.latch, last);
    return after;
  }

  /// If all items leave the loop to one block, this is their place from the beginning.
  void set_only_exit(Loop& loop, Value* enters) {
    llvm::SmallVector<Loop::Edge, 4> exits;
    loop.getExitEdges(exits);
    if (exits.empty()) return;
    BasicBlock* only = exits[0].second;
    for (const auto& [from, to] : exits)
      if (to != only || level_of_edge(from, to) != outer(&loop)) return;
    only_exits_[&loop] = only;
    llvm::AllocaInst* place = places_[outer(&loop)];
    b_.CreateStore(b_.CreateSelect(enters, b_.getInt32(number_of(only)),
                                   b_.CreateLoad(b_.getInt32Ty(), place)),
                   place);
  }

  bool all_enter(const Loop& loop) const {
    const Blocks& sources = sources_.find(loop.getHeader())->second;
    return llvm::is_contained(sources, region_.before);
  }

  void move_common(Loop& loop, BasicBlock* before, BasicBlock* head) {
    for (const CommonCounter& counter : common_.counters(loop)) {
      counter.phi->moveBefore(*head, head->getFirstNonPHIIt());
      counter.phi->replaceIncomingBlockWith(counter.preheader, before);
    }
    for (const CommonCounter& counter : common_.counters(loop))
      counter.next->moveBefore(*head, head->end());
    for (Instruction* i : common_.moved(loop)) i->moveBefore(*head, head->end());
    // InstCombine would move loads back to the items that use them.
    if (llvm::any_of(common_.moved(loop),
                     [](Instruction* i) { return llvm::isa<llvm::LoadInst>(i); }))
      write_barrier(head);
  }

  Value* any_of(Value* condition) {
    llvm::FunctionCallee any =
        f_.getParent()->getOrInsertFunction("hither.group_any_of", b_.getInt8Ty(), b_.getInt8Ty());
    return b_.CreateIsNotNull(b_.CreateCall(any, {condition}));
  }

  // -- Order ----------------------------------------------------------------------------------

  /// The node of the level to which `to` belongs, or none if the level ends with this edge.
  std::optional<Node> node_of(Level level, BasicBlock* to) const {
    if (!region_.contains(to) || (level && (to == level->getHeader() || !level->contains(to))))
      return std::nullopt;
    Level loop = region_.loop_of(loops_, to);
    if (loop == level) return Node{to};
    while (outer(loop) != level) loop = outer(loop);
    return Node{loop->getHeader(), loop};
  }

  Blocks exits(const Node& node) const {
    if (!node.loop) return Blocks(llvm::successors(node.block));
    Blocks result;
    node.loop->getExitBlocks(result);
    return result;
  }

  /// Topological order of the level's nodes. Must run before the level's edges are redirected.
  std::vector<Node> order(Level level) {
    std::vector<Node> postorder;
    llvm::DenseSet<BasicBlock*> seen;
    if (level)
      visit(level, {level->getHeader()}, postorder, seen);
    else
      for (const auto& [block, from] : sources_)
        if (llvm::is_contained(from, region_.before)) visit_edge(level, block, postorder, seen);
    std::reverse(postorder.begin(), postorder.end());
    return postorder;
  }

  void visit_edge(Level level, BasicBlock* to, std::vector<Node>& postorder,
                  llvm::DenseSet<BasicBlock*>& seen) {
    if (const auto node = node_of(level, to)) visit(level, *node, postorder, seen);
  }

  void visit(Level level, const Node& node, std::vector<Node>& postorder,
             llvm::DenseSet<BasicBlock*>& seen) {
    if (!seen.insert(node.block).second) return;
    for (BasicBlock* to : exits(node)) visit_edge(level, to, postorder, seen);
    postorder.push_back(node);
  }

  static constexpr uint32_t kNowhere = 0, kLocalFence = 1;

  llvm::Function& f_;
  const DivergentRegion& region_;
  const llvm::LoopInfo& loops_;
  CommonValues common_;
  llvm::IRBuilder<> b_;
  llvm::DenseMap<const BasicBlock*, uint32_t> numbers_;
  llvm::MapVector<BasicBlock*, Blocks> sources_;  ///< predecessors before the rewriting
  llvm::DenseMap<Level, llvm::AllocaInst*> places_;
  llvm::DenseMap<Level, BasicBlock*> only_exits_;
};

}  // namespace

void run_in_lockstep(llvm::Function& f, const DivergentRegion& region, const llvm::LoopInfo& loops,
                     const Uniformity& uniformity) {
  Lockstep(f, region, loops, uniformity).run();
}

}  // namespace hither::compiler
