#include "compiler/cpu/item_strides.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "compiler/module/intrinsics.h"

namespace hither::compiler {
namespace {

std::optional<int64_t> constant(const llvm::SCEV* s) {
  auto* c = llvm::dyn_cast<llvm::SCEVConstant>(s);
  return c ? std::optional(c->getAPInt().getSExtValue()) : std::nullopt;
}

}  // namespace

ItemStrides::ItemStrides(llvm::Function& f, const Uniformity& uniformity, int dim)
    : uniformity_(uniformity),
      dominators_(f),
      loops_(dominators_),
      assumptions_(f),
      names_(llvm::Triple(f.getParent()->getTargetTriple())),
      library_(names_, &f),
      evolution_(f, library_, assumptions_, dominators_, loops_) {
  for (llvm::Instruction& i : llvm::instructions(f)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || intrinsic_of(*callee) != Intrinsic::kLocalId) continue;
    const auto* queried = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0));
    const llvm::SCEV* id = evolution_.getSCEV(call);
    next_item_[call] = queried->getSExtValue() == dim
                           ? evolution_.getAddExpr(id, evolution_.getOne(call->getType()))
                           : id;
  }
}

std::optional<int64_t> ItemStrides::of_items(const llvm::SCEV* address) {
  // Unknown values could differ between items by any number.
  const bool is_known = !llvm::SCEVExprContains(address, [&](const llvm::SCEV* part) {
    auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part);
    return unknown && !next_item_.contains(unknown->getValue()) &&
           !uniformity_.is_uniform(unknown->getValue());
  });
  if (!is_known) return std::nullopt;
  const llvm::SCEV* next = llvm::SCEVParameterRewriter::rewrite(address, evolution_, next_item_);
  return constant(evolution_.getMinusSCEV(next, address));
}

std::optional<int64_t> ItemStrides::of_iterations(const llvm::SCEV* address,
                                                  const llvm::Loop& loop) {
  if (evolution_.isLoopInvariant(address, &loop)) return 0;
  auto* sequence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
  if (!sequence || sequence->getLoop() != &loop) return std::nullopt;
  return constant(sequence->getStepRecurrence(evolution_));
}

}  // namespace hither::compiler
