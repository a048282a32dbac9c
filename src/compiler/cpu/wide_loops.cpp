#include "compiler/cpu/wide_loops.h"

#include <algorithm>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include "compiler/cpu/vector_math.h"

namespace hither::compiler {
namespace {

/// Lanes of the widest variant that every iteration calls. 0 if there is none, or if an iteration
/// may skip a call: vectorisation would then branch around single lanes.
int lanes_of(const llvm::Loop& loop, const llvm::DominatorTree& dominators, int vector_bits) {
  int lanes = 0;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& i : *block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
      if (!call || !call->getCalledFunction()) continue;
      auto math = math_call(*call->getCalledFunction());
      if (!math || math->lanes != 0) continue;
      if (!dominators.dominates(block, loop.getLoopLatch())) return 0;
      lanes = std::max(lanes, native_variant(*math->function, math->type, vector_bits).lanes);
    }
  return lanes;
}

void request_width(llvm::Loop& loop, int lanes) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  auto wish = [&](const char* name, llvm::Constant* value) {
    return llvm::MDNode::get(
        context, {llvm::MDString::get(context, name), llvm::ConstantAsMetadata::get(value)});
  };
  llvm::SmallVector<llvm::Metadata*, 6> parts{nullptr};
  if (llvm::MDNode* known = loop.getLoopID()) parts.append(known->op_begin() + 1, known->op_end());
  parts.push_back(wish("llvm.loop.vectorize.enable", llvm::ConstantInt::getTrue(context)));
  parts.push_back(
      wish("llvm.loop.vectorize.width",
           llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), static_cast<uint64_t>(lanes))));
  llvm::MDNode* id = llvm::MDNode::getDistinct(context, parts);
  id->replaceOperandWith(0, id);
  loop.setLoopID(id);
}

}  // namespace

void ask_for_wide_loops(llvm::Module& module, int vector_bits) {
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    llvm::DominatorTree dominators(f);
    llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (!loop->isInnermost() || !loop->getLoopLatch()) continue;
      if (int lanes = lanes_of(*loop, dominators, vector_bits)) request_width(*loop, lanes);
    }
  }
}

}  // namespace hither::compiler
