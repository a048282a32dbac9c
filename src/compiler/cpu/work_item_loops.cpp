#include "compiler/cpu/work_item_loops.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/cpu/entry_loops.h"
#include "compiler/cpu/item_ids.h"
#include "compiler/cpu/item_strips.h"
#include "compiler/cpu/optimise.h"
#include "compiler/items/item_guards.h"
#include "compiler/module/address_space.h"
#include "compiler/module/intrinsics.h"

namespace hither::compiler {
namespace {

using llvm::Function;

bool items_are_independent(const Function& body, bool reports_errors) {
  if (reports_errors) return false;
  for (const llvm::Instruction& i : llvm::instructions(body)) {
    if (i.isAtomic() || i.isVolatile()) return false;
    // An unknown call could access memory atomically or raise.
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
      if (!llvm::isa<llvm::IntrinsicInst>(call) && call->mayReadOrWriteMemory()) return false;
  }
  return true;
}

/// Marks accesses through pointer arguments only. Private arrays are reused by the next item, so
/// accesses to them are not independent. A kernel's own loops may have groups, too.
void mark_global_accesses(Function& f, llvm::MDNode* group) {
  for (llvm::Instruction& i : llvm::instructions(f)) {
    bool global = false;
    if (const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&i)) {
      global = pointer->getType()->getPointerAddressSpace() == kGlobal;
    } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&i)) {
      global = copy->getDestAddressSpace() == kGlobal && copy->getSourceAddressSpace() == kGlobal;
    } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&i)) {
      global = set->getDestAddressSpace() == kGlobal;
    }
    if (!global) continue;
    constexpr auto kGroup = llvm::LLVMContext::MD_access_group;
    i.setMetadata(kGroup, llvm::uniteAccessGroups(i.getMetadata(kGroup), group));
  }
}

}  // namespace

LoopedKernel work_item_loops(llvm::Module& module, const target::KernelModule& source,
                             const CpuMachine& machine) {
  Function& kernel = *module.getFunction(source.entry);
  LoopedKernel result;
  const Function* raise = module.getFunction("hither.raise");
  result.reports_errors = raise && !raise->use_empty();
  result.dimensions = dimensions_queried(module);
  result.parallel = items_are_independent(kernel, result.reports_errors);
  auto guards = take_guards(kernel);
  if (!guards.empty()) simplify_branches(kernel, machine);
  EntryLoops nest(kernel, result.dimensions);
  nest.run_within(std::move(guards));
  ItemStrip strip;
  if (result.parallel) strip = make_item_strip(kernel, result.dimensions - 1, machine);
  result.strip_items = strip.items;
  result.gathers = strip.by_rows;
  nest.run_strips(strip);
  result.entry = nest.build(source.signature, result.parallel, /*pass_ids=*/false);
  if (result.parallel) mark_global_accesses(kernel, nest.access_group());
  for (llvm::CallInst* call : nest.guard_calls()) inline_kernel(*call->getCalledFunction(), *call);
  inline_kernel(kernel, *nest.call());
  if (strip.function) inline_kernel(*strip.function, *nest.strip_call());
  replace_intrinsics(*result.entry, nest.sources(), source.entry);
  return result;
}

}  // namespace hither::compiler
