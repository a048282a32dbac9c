#include "compiler/device/group_shuffles.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "compiler/module/address_space.h"

namespace hither::compiler {

using llvm::BasicBlock;
using llvm::Value;

Value* GroupCall::write() {
  switch (f_.kind) {
    case GroupFunction::kReduce:
    case GroupFunction::kInclusiveScan:
    case GroupFunction::kExclusiveScan:
      return combination();
    case GroupFunction::kAnyOf:
    case GroupFunction::kAllOf:
      return vote();
    case GroupFunction::kMatch:
      return match();
    case GroupFunction::kBroadcast:
      return f_.sub_group ? shuffled(x(), least(index(), b_.CreateSub(size(), b_.getInt32(1))))
                          : broadcast();
    default:
      return shuffle();
  }
}

llvm::GlobalVariable* GroupCall::local_table(llvm::Type* type, const char* name) {
  return new llvm::GlobalVariable(*call_.getModule(), type, false,
                                  llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(type),
                                  name, nullptr, llvm::GlobalValue::NotThreadLocal, kLocal);
}

Value* GroupCall::widened(Value* v) {
  v = b_.CreateBitCast(v, b_.getIntNTy(v->getType()->getScalarSizeInBits()));
  return v->getType()->getScalarSizeInBits() < 32 ? b_.CreateZExt(v, b_.getInt32Ty()) : v;
}
Value* GroupCall::narrowed(Value* v, llvm::Type* type) {
  return b_.CreateBitCast(b_.CreateTrunc(v, b_.getIntNTy(type->getScalarSizeInBits())), type);
}

Value* GroupCall::shuffled(Value* value, Value* from) {
  Value* v = widened(value);
  return narrowed(builtins_.shuffled(b_, v, from), value->getType());
}

/// If the source lane does not exist, the item gets its own value.
Value* GroupCall::shuffle() {
  Value* own = lane();
  Value* by = index();
  Value* from = f_.kind == GroupFunction::kShuffle      ? by
                : f_.kind == GroupFunction::kShuffleXor ? b_.CreateXor(own, by)
                : f_.kind == GroupFunction::kShuffleUp  ? b_.CreateSub(own, by)
                                                        : b_.CreateAdd(own, by);
  return shuffled(x(), b_.CreateSelect(b_.CreateICmpULT(from, size()), from, own));
}

/// Emits a loop that runs body(i, state) from `first` while i < end, with i = next(i). The builder
/// then stands behind the loop.
Value* GroupCall::loop(Value* first, Value* end, Value* start, Body body,
                       llvm::function_ref<Value*(Value*)> next) {
  BasicBlock* before = b_.GetInsertBlock();
  BasicBlock* after = before->splitBasicBlock(b_.GetInsertPoint(), "met");
  BasicBlock* head =
      BasicBlock::Create(b_.getContext(), "group_function", before->getParent(), after);
  BasicBlock* iteration =
      BasicBlock::Create(b_.getContext(), "iteration", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, head);
  b_.SetInsertPoint(head);
  llvm::PHINode* i = b_.CreatePHI(first->getType(), 2);
  llvm::PHINode* state = b_.CreatePHI(start->getType(), 2);
  i->addIncoming(first, before);
  state->addIncoming(start, before);
  b_.CreateCondBr(b_.CreateICmpULT(i, end), iteration, after);
  b_.SetInsertPoint(iteration);
  Value* result = body(i, state);
  i->addIncoming(next(i), b_.GetInsertBlock());
  state->addIncoming(result, b_.GetInsertBlock());
  b_.CreateBr(head);
  b_.SetInsertPoint(&call_);
  return state;
}

/// Compares with the numbers of all lanes.
Value* GroupCall::match() {
  Value* first = b_.getInt32(0);
  auto compare = [&](Value* lane, Value* so_far) {
    Value* same = b_.CreateICmpEQ(shuffled(x(), lane), x());
    return b_.CreateOr(so_far, b_.CreateShl(b_.CreateZExt(same, b_.getInt32Ty()), lane));
  };
  return loop(first, size(), first, compare,
              [&](Value* i) { return b_.CreateAdd(i, b_.getInt32(1)); });
}

/// Combines x of lanes 0 to this one.
Value* GroupCall::scan_in_sub_group(Value* own, Value* count) {
  auto step = [&](Value* distance, Value* so_far) {
    Value* reaches = b_.CreateICmpUGE(own, distance);
    Value* from = b_.CreateSelect(reaches, b_.CreateSub(own, distance), own);
    Value* other = shuffled(so_far, from);
    return b_.CreateSelect(reaches, combine(b_, f_, other, so_far), so_far);
  };
  return loop(b_.getInt32(1), count, x(), step,
              [&](Value* i) { return b_.CreateShl(i, uint64_t{1}); });
}

Value* GroupCall::by_shuffles() {
  Value *own = lane(), *count = size();
  Value* here = scan_in_sub_group(own, count);
  Value* all = shuffled(here, b_.CreateSub(count, b_.getInt32(1)));
  Value* before = nullptr;  // combines the sub-groups before this one, in a reduction all of them
  if (!f_.sub_group && is_one_sub_group())
    builtins_.sub_group_barrier(b_, b_.getInt32(1));  // group functions order local memory
  else if (!f_.sub_group)
    before = between_sub_groups(all, own);
  if (f_.kind == GroupFunction::kReduce) return before ? before : all;
  if (f_.kind == GroupFunction::kExclusiveScan) {
    Value* previous = b_.CreateSub(own, b_.getInt32(1));
    Value* is_first = b_.CreateIsNull(own);
    here = shuffled(here, b_.CreateSelect(is_first, own, previous));
    here = b_.CreateSelect(is_first, neutral(f_, type_), here);
  }
  return before ? combine(b_, f_, before, here) : here;
}

/// Combines the values of sub-groups in local memory, a few sub-groups at a time.
Value* GroupCall::between_sub_groups(Value* all, Value* own_lane) {
  const uint32_t at_once = sub_groups_at_once();
  auto* table = local_table(llvm::ArrayType::get(type_, at_once), "sub_groups");
  Value *number = query(Intrinsic::kSubGroupId), *count = query(Intrinsic::kNumSubGroups);
  Value* end = f_.kind == GroupFunction::kReduce ? count : number;
  auto place = [&](Value* i) { return b_.CreateInBoundsGEP(type_, table, i); };
  auto round = [&](Value* base, Value* so_far) {
    Value* slot = b_.CreateSub(number, base);
    Value* writes =
        b_.CreateAnd(b_.CreateICmpULT(slot, b_.getInt32(at_once)), b_.CreateIsNull(own_lane));
    write_if(writes, all, [&] { return place(slot); });
    barrier();
    Value* rest = b_.CreateSub(least(end, b_.CreateAdd(base, b_.getInt32(at_once))), base);
    rest = b_.CreateSelect(b_.CreateICmpULT(base, end), rest, b_.getInt32(0));
    so_far = inner_loop(rest, so_far, [&](Value* i, Value* state) {
      return combine(b_, f_, state, b_.CreateLoad(type_, place(i)));
    });
    barrier();
    return so_far;
  };
  return loop(b_.getInt32(0), count, neutral(f_, type_), round,
              [&](Value* i) { return b_.CreateAdd(i, b_.getInt32(at_once)); });
}

void GroupCall::write_if(Value* condition, Value* value, llvm::function_ref<Value*()> where) {
  BasicBlock* from = b_.GetInsertBlock();
  BasicBlock* then = BasicBlock::Create(b_.getContext(), "write", from->getParent());
  BasicBlock* after = BasicBlock::Create(b_.getContext(), "written", from->getParent());
  b_.CreateCondBr(condition, then, after);
  b_.SetInsertPoint(then);
  b_.CreateStore(value, where());
  b_.CreateBr(after);
  b_.SetInsertPoint(after);
}

/// A loop at the end of a block without a terminator.
Value* GroupCall::inner_loop(Value* count, Value* start, Body body) {
  BasicBlock* before = b_.GetInsertBlock();
  BasicBlock* head = BasicBlock::Create(b_.getContext(), "parts", before->getParent());
  BasicBlock* iteration = BasicBlock::Create(b_.getContext(), "part", before->getParent());
  BasicBlock* after = BasicBlock::Create(b_.getContext(), "parted", before->getParent());
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* i = b_.CreatePHI(b_.getInt32Ty(), 2);
  llvm::PHINode* state = b_.CreatePHI(start->getType(), 2);
  i->addIncoming(b_.getInt32(0), before);
  state->addIncoming(start, before);
  b_.CreateCondBr(b_.CreateICmpULT(i, count), iteration, after);
  b_.SetInsertPoint(iteration);
  Value* next = body(i, state);
  i->addIncoming(b_.CreateAdd(i, b_.getInt32(1)), iteration);
  state->addIncoming(next, iteration);
  b_.CreateBr(head);
  b_.SetInsertPoint(after);
  return state;
}

void replace_group_functions(
    llvm::Function& kernel,
    llvm::function_ref<Value*(llvm::CallInst&, const GroupFunction&)> replace) {
  llvm::SmallVector<std::pair<llvm::CallInst*, GroupFunction>, 8> calls;
  for (llvm::Instruction& i : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i); call && call->getCalledFunction())
      if (const auto f = group_function(*call->getCalledFunction())) calls.push_back({call, *f});
  for (auto& [call, f] : calls) {
    llvm::Function* declaration = call->getCalledFunction();
    call->replaceAllUsesWith(replace(*call, f));
    call->eraseFromParent();
    if (declaration->use_empty()) declaration->eraseFromParent();
  }
}

}  // namespace hither::compiler
