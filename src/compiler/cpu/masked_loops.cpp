#include "compiler/cpu/masked_loops.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include "compiler/cpu/item_strides.h"
#include "compiler/items/divergent_loops.h"
#include "compiler/items/lockstep.h"
#include "compiler/items/private_arrays.h"
#include "compiler/module/address_space.h"
#include "compiler/module/intrinsics.h"
#include "compiler/module/math_functions.h"
#include "compiler/module/pass_runner.h"
#include "process/environment.h"

namespace hither::compiler {
namespace {

using llvm::Instruction;
using process::environment;
using process::variable::kMaskedLoops;

bool is_plain_number(const llvm::Type* type) {
  return type->isFloatTy() || type->isDoubleTy() || type->isPointerTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

/// Items access this memory independently of each other between two barriers.
bool is_shared(unsigned address_space) {
  return address_space == kGlobal || address_space == kLocal;
}

bool is_pure_call(const llvm::CallInst& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || call.mayReadOrWriteMemory()) return false;
  return llvm::isa<llvm::IntrinsicInst>(call) || math_call(*callee) ||
         intrinsic_of(*callee) == Intrinsic::kLocalId;
}

/// Whether the instruction updates integers in local memory, and items may do so in any order if
/// nothing else accesses them (see order_is_unseen).
bool is_update(const Instruction& i) {
  using llvm::AtomicRMWInst;
  auto* update = llvm::dyn_cast<AtomicRMWInst>(&i);
  if (!update || !update->use_empty() || update->isVolatile() ||
      update->getPointerAddressSpace() != kLocal ||
      llvm::isStrongerThanMonotonic(update->getOrdering()))
    return false;
  switch (update->getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
    case AtomicRMWInst::And:
    case AtomicRMWInst::Or:
    case AtomicRMWInst::Xor:
    case AtomicRMWInst::Max:
    case AtomicRMWInst::Min:
    case AtomicRMWInst::UMax:
    case AtomicRMWInst::UMin:
      return true;
    default:
      return false;
  }
}

/// Whether the value is the same for all items that are in the same iteration.
bool is_common(llvm::Value& value, ItemStrides& strides) {
  return strides.evolution().isSCEVable(value.getType()) &&
         strides.of_items(strides.evolution().getSCEV(&value)) == 0;
}

/// The private arrays whose elements can lie side by side for all items.
using SpreadArrays = llvm::SmallPtrSet<const llvm::Value*, 4>;

SpreadArrays find_spread_arrays(llvm::Function& f, ItemStrides& strides) {
  SpreadArrays found;
  for (Instruction& i : llvm::instructions(f))
    if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&i))
      if (can_be_spread(*array, [&](llvm::Value* v) { return is_common(*v, strides); }))
        found.insert(array);
  return found;
}

/// Whether LLVM can compute the instruction for several items at a time, of which some do not
/// execute it.
bool can_be_masked(Instruction& i, const SpreadArrays& spread) {
  if (i.isTerminator()) return llvm::isa<llvm::BranchInst>(i);
  if (is_update(i)) return true;  // items run it one after the other
  if (i.isAtomic() || i.isVolatile()) return false;
  if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i))
    return (is_shared(pointer->getType()->getPointerAddressSpace()) ||
            spread.contains(llvm::getUnderlyingObject(pointer))) &&
           is_plain_number(llvm::getLoadStoreType(&i));
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
    return is_pure_call(*call) && is_plain_number(i.getType());
  return is_plain_number(i.getType()) && !i.mayReadOrWriteMemory() &&
         !llvm::isa<llvm::ExtractValueInst, llvm::InsertValueInst, llvm::ExtractElementInst>(i);
}

/// Clock cycles of the loops' instructions, for single items and for the lanes of vectors.
class Estimate {
 public:
  Estimate(const Uniformity& uniformity, ItemStrides& strides, const SpreadArrays& spread,
           int lanes)
      : uniformity_(uniformity), strides_(strides), spread_(spread), lanes_(lanes) {}

  void add(Instruction& i) {
    if (uniformity_.is_uniform(&i) || i.isTerminator()) return;
    if (is_update(i)) return add(kUpdate, kUpdate * lanes_);
    if (llvm::isa<llvm::PHINode>(i)) return add(0, 2);
    if (llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i)) return add_access(i, pointer);
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
      return llvm::isa<llvm::IntrinsicInst>(call) ? add(1, 1) : add(kMathCall, kMathCall);
    switch (i.getOpcode()) {
      case Instruction::FDiv:
        return add(4, 2.0 * lanes_);
      case Instruction::SDiv:
      case Instruction::UDiv:
      case Instruction::SRem:
      case Instruction::URem:
        return add_division(i);
      case Instruction::Mul:
        return add(1, 3);
      default:
        return add(1, 1);
    }
  }

  /// Vectors also run iterations for items that have left the loop.
  bool gains() const { return vectors_ / lanes_ * kIterations < single_; }

 private:
  static constexpr double kMathCall = 20, kGather = 5, kUpdate = 2, kIterations = 1.5;
  static constexpr double kDivision = 20, kMoves = 3, kWait = 13;

  void add(double single, double vector) {
    single_ += single;
    vectors_ += vector;
  }

  /// Vectors have no division of integers: each lane is extracted, divided and inserted again.
  void add_division(const Instruction& i) {
    if (llvm::isa<llvm::Constant>(i.getOperand(1))) return add(4, 8);
    add(kDivision, (kDivision + kMoves) * lanes_);
  }

  void add_access(Instruction& i, llvm::Value* pointer) {
    const auto size = static_cast<int64_t>(
        i.getModule()->getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&i)));
    const auto stride = strides_.of_items(strides_.evolution().getSCEV(pointer));
    const bool is_row = uniformity_.is_uniform(pointer) ||
                        spread_.contains(llvm::getUnderlyingObject(pointer)) ||
                        (stride && (*stride == 0 || *stride == size));
    add(waits(pointer) ? kWait : 1, is_row ? 2 : kGather * lanes_);
  }

  /// Whether the address depends on what earlier iterations found, as in a binary search: a single
  /// item then waits for each load, and for branches that nobody can predict.
  bool waits(llvm::Value* pointer) {
    llvm::SmallVector<llvm::Value*, 8> values{pointer};
    llvm::SmallPtrSet<llvm::Value*, 16> seen;
    while (!values.empty()) {
      auto* i = llvm::dyn_cast<Instruction>(values.pop_back_val());
      if (!i || uniformity_.is_uniform(i) || !seen.insert(i).second) continue;
      if (llvm::isa<llvm::LoadInst>(i)) continue;
      if (llvm::isa<llvm::PHINode>(i) && strides_.loops().isLoopHeader(i->getParent())) {
        if (!llvm::isa<llvm::SCEVAddRecExpr>(strides_.evolution().getSCEV(i))) return true;
        continue;
      }
      values.append(i->op_begin(), i->op_end());
    }
    return false;
  }

  const Uniformity& uniformity_;
  ItemStrides& strides_;
  const SpreadArrays& spread_;
  const int lanes_;
  double single_ = 0, vectors_ = 0;
};

/// The size of most values that items keep between iterations, in variables and private arrays.
/// Counters that are the same for all items do not count.
int bits_of_values(llvm::Function& f, const Uniformity& uniformity, ItemStrides& strides) {
  const llvm::DataLayout& layout = f.getParent()->getDataLayout();
  int wide = 0, narrow = 0;
  const auto count = [&](const llvm::Value& value) {
    layout.getTypeSizeInBits(value.getType()) == 64 ? ++wide : ++narrow;
  };
  for (const llvm::Loop* loop : strides.loops().getLoopsInPreorder())
    for (llvm::PHINode& phi : loop->getHeader()->phis())
      if (!uniformity.is_uniform(&phi) && !is_common(phi, strides)) count(phi);
  for (const Instruction& i : llvm::instructions(f))
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i))
      if (strides.loops().getLoopFor(i.getParent()) &&
          llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand())))
        count(*store->getValueOperand());
  return narrow > wide ? 32 : 64;
}

void prepare(llvm::Function& f, const CpuMachine& machine) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  PassRunner(&machine.llvm()).run(f, passes);
}

void clean_up(llvm::Function& f, const CpuMachine& machine) {
  llvm::FunctionPassManager passes;
  for (int round = 0; round < 2; ++round) {
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false)));
    passes.addPass(llvm::SimplifyCFGPass());
  }
  PassRunner(&machine.llvm()).run(f, passes);
}

/// Whether no item can see in which order the others update local memory: each array is updated by
/// one kind of operation, and neither loaded nor stored. A loop could otherwise end by a value that
/// depends on that order.
bool order_is_unseen(const std::vector<DivergentRegion>& regions) {
  using llvm::AtomicRMWInst;
  llvm::DenseMap<const llvm::Value*, AtomicRMWInst::BinOp> updated;
  llvm::SmallPtrSet<const llvm::Value*, 4> accessed;
  bool one_kind = true;
  for (const DivergentRegion& region : regions)
    for (llvm::BasicBlock* block : region.blocks)
      for (Instruction& i : *block) {
        if (auto* update = llvm::dyn_cast<AtomicRMWInst>(&i)) {
          auto kind = update->getOperation();
          if (kind == AtomicRMWInst::Sub) kind = AtomicRMWInst::Add;
          const auto* array = llvm::getUnderlyingObject(update->getPointerOperand());
          if (updated.try_emplace(array, kind).first->second != kind) return false;
          one_kind = one_kind && updated.begin()->second == kind;
        }
        const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i);
        if (pointer && pointer->getType()->getPointerAddressSpace() == kLocal)
          accessed.insert(llvm::getUnderlyingObject(pointer));
      }
  if (updated.empty() || (accessed.empty() && one_kind)) return true;
  // Pointers that are not arrays of the kernel may lead to the same memory.
  const auto is_array = [](const llvm::Value* v) { return llvm::isa<llvm::GlobalVariable>(v); };
  return llvm::all_of(accessed, is_array) && llvm::all_of(updated, [&](const auto& entry) {
           return is_array(entry.first) && !accessed.contains(entry.first);
         });
}

/// Moves the updates of each block to its end, into a block of their own. Nothing else accesses the
/// memory that they update. Returns whether it changed the function.
bool isolate_updates(const DivergentRegion& region) {
  bool changed = false;
  for (llvm::BasicBlock* block : region.blocks) {
    llvm::SmallVector<Instruction*, 4> updates;
    for (Instruction& i : *block)
      if (is_update(i)) updates.push_back(&i);
    if (updates.empty() || updates.size() + 1 == block->size()) continue;
    for (Instruction* update : updates) update->moveBefore(block->getTerminator());
    block->splitBasicBlock(updates.front(), "updates");
    changed = true;
  }
  return changed;
}

bool are_worth_masking(llvm::Function& f, const std::vector<DivergentRegion>& regions,
                       const Uniformity& uniformity, ItemStrides& strides, int lanes) {
  if (!order_is_unseen(regions)) return false;
  const SpreadArrays spread = find_spread_arrays(f, strides);
  Estimate estimate(uniformity, strides, spread, lanes);
  for (const DivergentRegion& region : regions)
    for (llvm::BasicBlock* block : region.blocks)
      for (Instruction& i : *block) {
        if (!can_be_masked(i, spread)) return false;
        if (region.loop_of(strides.loops(), block)) estimate.add(i);
      }
  return environment(kMaskedLoops) == "always" || estimate.gains();
}

}  // namespace

int64_t mask_divergent_loops(const GroupKernel& group, const CpuMachine& machine) {
  llvm::Function& f = *group.function;
  int dim = 2;
  while (dim > 0 && group.local_size[dim] == 1) --dim;
  const int64_t neighbours = group.local_size[dim], most = machine.vector_bits() / 32;
  if (environment(kMaskedLoops) == "never" || neighbours < most) return 0;
  int lanes = 0;
  // Each round rewrites one region. The next one is analysed afresh, because the values that it
  // takes from this one are new.
  for (size_t rounds = 1; rounds > 0; --rounds) {
    prepare(f, machine);
    const Uniformity uniformity = analyse_uniformity(f);
    const llvm::DominatorTree dominators(f);
    const llvm::LoopInfo loops(dominators);
    const auto regions = find_divergent_loops(f, loops, uniformity);
    if (!regions || regions->empty()) break;
    if (lanes == 0) {
      ItemStrides strides(f, uniformity, dim);
      const int chosen = machine.vector_bits() / bits_of_values(f, uniformity, strides);
      if (!are_worth_masking(f, *regions, uniformity, strides, chosen)) break;
      lanes = chosen;
      rounds = regions->size();
    }
    if (isolate_updates(regions->front())) {  // the region is analysed again
      ++rounds;
      continue;
    }
    run_in_lockstep(f, regions->front(), loops, uniformity);
    annotate_intrinsics(*f.getParent());
    clean_up(f, machine);
  }
  return lanes;
}

}  // namespace hither::compiler
