#include "compiler/module/masked_operations.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/module/convergent_operation.h"
#include "compiler/module/group_function.h"
#include "compiler/module/intrinsics.h"
#include "target/code_image.h"

namespace hither::compiler {
namespace {

using llvm::IRBuilder;
using llvm::Value;

class MaskedOperation {
 public:
  MaskedOperation(llvm::CallInst& call, const GroupFunction& function, llvm::AllocaInst* flag)
      : call_(call), function_(function), b_(&call) {
    returned_ = b_.CreateLoad(b_.getInt1Ty(), flag);
  }

  void write() {
    if (function_.kind == GroupFunction::kBroadcast) return broadcast();
    if (function_.kind >= GroupFunction::kShuffle) return shuffle();
    Value* x = call_.getArgOperand(0);
    call_.setArgOperand(0, b_.CreateSelect(returned_, neutral(function_, x->getType()), x));
  }

 private:
  Value* same_of_flag(const char* name, Value* index) {
    return call(name, b_.getInt8Ty(), {b_.CreateZExt(returned_, b_.getInt8Ty()), index});
  }

  Value* call(const std::string& name, llvm::Type* type, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<llvm::Type*, 2> types;
    for (Value* v : arguments) types.push_back(v->getType());
    const std::string full = (function_.sub_group ? "hither.sub_group_" : "hither.group_") + name;
    llvm::CallInst* result = b_.CreateCall(
        call_.getModule()->getOrInsertFunction(full, llvm::FunctionType::get(type, types, false)),
        arguments);
    result->setMetadata(kLine, call_.getMetadata(kLine));
    return result;
  }

  /// All items must request the same item.
  void broadcast() {
    Value* index = call_.getArgOperand(1);
    if (!llvm::isa<llvm::Constant>(index))
      index = call("reduce.max.u32", b_.getInt32Ty(),
                   {b_.CreateSelect(returned_, b_.getInt32(0), index)});
    call_.setArgOperand(1, index);
    Value* x = call_.getArgOperand(0);
    call_.setArgOperand(0,
                        b_.CreateSelect(returned_, llvm::Constant::getNullValue(x->getType()), x));
    Value* is_gone = b_.CreateIsNotNull(same_of_flag("broadcast.u8", index));
    llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(
        b_.CreateAnd(is_gone, b_.CreateNot(returned_)), call_.getNextNode(), /*Unreachable=*/true);
    raise(*then);
  }

  void raise(llvm::Instruction& at) {
    IRBuilder<> b(&at);
    llvm::FunctionCallee raise = call_.getModule()->getOrInsertFunction(
        "hither.raise", b.getVoidTy(), b.getInt32Ty(), b.getInt32Ty());
    auto* function = llvm::cast<llvm::Function>(raise.getCallee());
    function->setDoesNotReturn();
    b.CreateCall(raise, {b.getInt32(target::kReturnedItem), line()});
  }

  Value* line() {
    const llvm::MDNode* node = call_.getMetadata(kLine);
    auto* known = node && node->getNumOperands() > 0
                      ? llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(0))
                      : nullptr;
    return b_.getInt32(known ? static_cast<uint32_t>(known->getZExtValue()) : 0);
  }

  void shuffle() {
    Value* index = b_.CreateSelect(returned_, b_.getInt32(0), call_.getArgOperand(1));
    Value* x = call_.getArgOperand(0);
    call_.setArgOperand(1, index);
    const char* name = function_.kind == GroupFunction::kShuffle      ? "shuffle.u8"
                       : function_.kind == GroupFunction::kShuffleXor ? "shuffle_xor.u8"
                       : function_.kind == GroupFunction::kShuffleUp  ? "shuffle_up.u8"
                                                                      : "shuffle_down.u8";
    Value* is_gone = b_.CreateIsNotNull(same_of_flag(name, index));
    b_.SetInsertPoint(call_.getNextNode());
    auto* result = llvm::cast<llvm::Instruction>(b_.CreateSelect(is_gone, x, &call_));
    call_.replaceUsesWithIf(result, [&](llvm::Use& use) { return use.getUser() != result; });
  }

  llvm::CallInst& call_;
  const GroupFunction function_;
  IRBuilder<> b_;
  Value* returned_;
};

}  // namespace

void mask_operation(llvm::CallInst& operation, llvm::AllocaInst* flag) {
  if (const auto function = group_function(*operation.getCalledFunction()))
    MaskedOperation(operation, *function, flag).write();
}

void vote_on_branch(llvm::BranchInst& branch, llvm::AllocaInst* flag, bool first_if_none) {
  IRBuilder<> b(&branch);
  Value* returned = b.CreateLoad(b.getInt1Ty(), flag);
  Value* condition = branch.getCondition();
  Value* own = b.CreateSelect(returned, b.getInt1(first_if_none), condition);
  llvm::FunctionCallee votes = branch.getModule()->getOrInsertFunction(
      first_if_none ? "hither.group_all_of" : "hither.group_any_of", b.getInt8Ty(), b.getInt8Ty());
  Value* all = b.CreateCall(votes, {b.CreateZExt(own, b.getInt8Ty())});
  branch.setCondition(b.CreateIsNotNull(all));
}

}  // namespace hither::compiler
