#include "compiler/cpu/item_strips.h"

#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/cpu/group_loops.h"
#include "compiler/cpu/item_strides.h"
#include "compiler/cpu/masked_loops.h"
#include "compiler/cpu/optimise.h"
#include "compiler/module/group_kernel.h"
#include "compiler/module/intrinsics.h"
#include "compiler/module/uniformity.h"

namespace hither::compiler {
namespace {

using llvm::Function;
using llvm::Instruction;
using llvm::Loop;
using llvm::Value;

/// Four vectors of 64-bit values at 512 bits. This hides the latency of arithmetic.
constexpr int64_t kItems = 32;
/// For items that read rows of their own, which vectors would have to gather. This hides the
/// latency of an addition, and uses no more cache lines than a set holds if the row length is a
/// large power of two.
constexpr int64_t kItemsOfRows = 8;
/// Vectors of 64-bit values of a strip whose items leave loops in different iterations. They hide
/// the latency of arithmetic.
constexpr int64_t kVectorsOfMaskedStrip = 4;

bool asks_more_than_global_ids(const Instruction& i) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  const auto intrinsic =
      call && call->getCalledFunction() ? intrinsic_of(*call->getCalledFunction()) : std::nullopt;
  return intrinsic && *intrinsic != Intrinsic::kGlobalId && *intrinsic != Intrinsic::kGlobalSize;
}

/// Fast-math operations could round differently in a strip than in the last items of a range, which
/// run one at a time.
bool may_be_rewritten(const Instruction& i) {
  auto* f = llvm::dyn_cast<llvm::FPMathOperator>(&i);
  return f && (f->hasAllowReassoc() || f->hasAllowContract() || f->hasApproxFunc() ||
               f->hasAllowReciprocal());
}

bool can_be_stripped(Function& kernel) {
  llvm::DominatorTree dominators(kernel);
  if (llvm::LoopInfo(dominators).empty()) return false;
  return llvm::none_of(llvm::instructions(kernel), [](const Instruction& i) {
    return asks_more_than_global_ids(i) || may_be_rewritten(i);
  });
}

bool has_private_arrays(Function& kernel) {
  return llvm::any_of(llvm::instructions(kernel),
                      [](const Instruction& i) { return llvm::isa<llvm::AllocaInst>(i); });
}

/// Estimates whether the loops of a strip are faster than those of single items.
class Prospects {
 public:
  Prospects(Function& f, int dim)
      : uniformity_(analyse_uniformity(f)), strides_(f, uniformity_, dim) {}

  /// The number of items in a strip; 1 if strips are not faster.
  int64_t items() {
    bool any = false;
    for (Loop* loop : strides_.loops().getLoopsInPreorder()) {
      if (!uniformity_.leave_together(*loop)) continue;
      if (llvm::any_of(*loop, [&](const Loop* in) { return uniformity_.leave_together(*in); }))
        continue;
      if (!loop->isInnermost() || !gains(*loop)) return 1;
      any = true;
    }
    return !any ? 1 : reads_rows_ ? kItemsOfRows : kItems;
  }
  bool reads_rows() const noexcept { return reads_rows_; }

 private:
  /// A strip is faster if single items depend on their previous iteration, or read across rows. It
  /// is not faster if the loop writes contiguously along a row, because LLVM vectorises that loop.
  bool gains(Loop& loop) {
    bool gains = llvm::any_of(loop.getHeader()->phis(),
                              [&](llvm::PHINode& phi) { return depends_on_iteration(phi, loop); });
    for (llvm::BasicBlock* block : loop.blocks())
      for (Instruction& i : *block) {
        Value* pointer = llvm::getLoadStorePointerOperand(&i);
        if (!pointer) continue;
        const auto size = static_cast<int64_t>(
            i.getModule()->getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&i)));
        const llvm::SCEV* at = strides_.evolution().getSCEV(pointer);
        const std::optional<int64_t> iteration = strides_.of_iterations(at, loop),
                                     item = strides_.of_items(at);
        const bool along = iteration && std::abs(*iteration) == size;
        if (along && llvm::isa<llvm::StoreInst>(i)) return false;
        if (item && *item == size && !along) gains = true;
        constexpr int64_t kMostInterleaved = 4;
        if (!item || std::abs(*item) > kMostInterleaved * size) reads_rows_ = true;
      }
    return gains;
  }

  /// Whether each item has to wait for this value of its previous iteration. LLVM computes several
  /// iterations of counters and of sums of integers at a time.
  bool depends_on_iteration(llvm::PHINode& phi, Loop& loop) {
    if (uniformity_.is_uniform(&phi)) return false;
    if (!phi.getType()->isIntegerTy()) return phi.getType()->isFloatingPointTy();
    llvm::RecurrenceDescriptor sum;
    return !llvm::isa<llvm::SCEVAddRecExpr>(strides_.evolution().getSCEV(&phi)) &&
           !llvm::RecurrenceDescriptor::isReductionPHI(&phi, &loop, sum);
  }

  Uniformity uniformity_;
  ItemStrides strides_;
  bool reads_rows_ = false;
};

/// Neighbouring items read adjacent rows. Prefetchers do not recognise the order in which
/// interleaved items would read them. Therefore each item of a strip runs through its own
/// contiguous part of the rows.
void space_items(const GroupKernel& group) {
  llvm::SmallVector<llvm::CallInst*, 4> ids;
  for (Instruction& i : llvm::instructions(*group.function))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
      if (const Function* callee = call->getCalledFunction();
          callee && intrinsic_of(*callee) == Intrinsic::kLocalId)
        ids.push_back(call);
  for (llvm::CallInst* id : ids) {
    llvm::IRBuilder<> b(id->getNextNode());
    Value* moved = b.CreateMul(id, group.item_distance, "", /*HasNUW=*/true, /*HasNSW=*/true);
    id->replaceUsesWithIf(moved, [&](const llvm::Use& use) { return use.getUser() != moved; });
  }
}

/// Interleaved items keep the processor busy. Several iterations at a time would only add a
/// remainder, which takes as long as the rest if rows are short.
void keep_iterations_single(Function& strip) {
  llvm::DominatorTree dominators(strip);
  const llvm::LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder())
    if (!loop->getLoopID()) llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.runtime.disable");
}

}  // namespace

ItemStrip make_item_strip(Function& kernel, int dim, const CpuMachine& machine) {
  if (!can_be_stripped(kernel)) return {};
  llvm::ValueToValueMapTy same;
  GroupKernel group = make_strip_kernel(*llvm::CloneFunction(&kernel, same), dim, kItems);
  simplify_group(*group.function, machine);
  group.lanes = mask_divergent_loops(group, machine);
  simplify_loops(*group.function, machine);
  if (group.lanes > 0) {
    group.local_size[dim] = kVectorsOfMaskedStrip * machine.vector_bits() / 64;
  } else if (has_private_arrays(*group.function)) {
    group.local_size[dim] = 1;
  } else {
    Prospects prospects(*group.function, dim);
    group.local_size[dim] = prospects.items();
    group.unroll_items = prospects.reads_rows();
  }
  if (group.items() == 1) {
    group.function->eraseFromParent();
    return {};
  }
  if (group.unroll_items) space_items(group);
  run_all_items(group, "");
  if (group.unroll_items) keep_iterations_single(*group.function);
  return {group.function, group.items(), group.unroll_items};
}

}  // namespace hither::compiler
