#include "compiler/spirv_groups.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/group_function.h"
#include "compiler/spirv_builtin.h"

namespace hither::compiler {
namespace {

using llvm::BasicBlock;
using llvm::IRBuilder;
using llvm::Value;

constexpr unsigned kLocal = 3;

/// One call; its replacement is written where the builder stands.
class GroupCall {
 public:
  GroupCall(llvm::CallInst& call, const GroupFunction& f)
      : call_(call),
        f_(f),
        b_(&call),
        type_(call.getType()),
        prefix_(f.sub_group ? "sub" : "work") {}

  Value* write() {
    switch (f_.kind) {
      case GroupFunction::kReduce:
      case GroupFunction::kInclusiveScan:
      case GroupFunction::kExclusiveScan:
        if (f_.operation == GroupFunction::kAdd) return sum();
        if (f_.operation == GroupFunction::kMin || f_.operation == GroupFunction::kMax)
          return extreme();
        return by_shuffles();
      case GroupFunction::kAnyOf:
      case GroupFunction::kAllOf:
        return vote();
      case GroupFunction::kBroadcast:
        return f_.sub_group ? shuffled(x(), least(index(), last_lane())) : broadcast();
      default:
        return shuffle();
    }
  }

 private:
  Value* x() const { return call_.getArgOperand(0); }
  Value* index() const { return call_.getArgOperand(1); }
  bool is_float() const { return f_.number == GroupFunction::kFloat; }
  bool is_signed() const { return f_.number == GroupFunction::kSigned; }
  unsigned bits() const { return type_->getScalarSizeInBits(); }
  Value* ask(const char* name) { return call_builtin(b_, name, b_.getInt32Ty(), {}); }
  Value* lane() { return ask("get_sub_group_local_id"); }
  Value* size() { return ask("get_sub_group_size"); }
  Value* last_lane() { return b_.CreateSub(size(), b_.getInt32(1)); }
  Value* least(Value* a, Value* b) { return b_.CreateSelect(b_.CreateICmpULT(a, b), a, b); }

  /// Integers of 32 or 64 bits are all that every device moves.
  Value* widened(Value* v) {
    v = b_.CreateBitCast(v, b_.getIntNTy(v->getType()->getScalarSizeInBits()));
    return v->getType()->getScalarSizeInBits() < 32 ? b_.CreateZExt(v, b_.getInt32Ty()) : v;
  }
  Value* narrowed(Value* v, llvm::Type* type) {
    return b_.CreateBitCast(b_.CreateTrunc(v, b_.getIntNTy(type->getScalarSizeInBits())), type);
  }

  Value* collective(const char* operation, Value* v, bool as_signed) {
    const char* kind = f_.kind == GroupFunction::kReduce          ? "reduce"
                       : f_.kind == GroupFunction::kInclusiveScan ? "scan_inclusive"
                                                                  : "scan_exclusive";
    return call_builtin(b_, fmt::format("{}_group_{}_{}", prefix_, kind, operation), v->getType(),
                        {v}, Effect::kConvergent, as_signed);
  }

  Value* sum() {
    if (type_->isHalfTy())
      return b_.CreateFPTrunc(collective("add", b_.CreateFPExt(x(), b_.getFloatTy()), true), type_);
    if (is_float()) return collective("add", x(), true);
    Value* v = bits() < 32 ? b_.CreateZExt(x(), b_.getInt32Ty()) : x();
    return b_.CreateTrunc(collective("add", v, true), type_);
  }

  Value* extreme() {
    const bool least = f_.operation == GroupFunction::kMin;
    const char* name = least ? "min" : "max";
    llvm::Type* own = b_.getIntNTy(bits());
    llvm::Type* wide = bits() < 32 ? b_.getInt32Ty() : own;
    if (!is_float()) {
      Value* v = is_signed() ? b_.CreateSExt(x(), wide) : b_.CreateZExt(x(), wide);
      Value* found = b_.CreateTrunc(collective(name, v, is_signed()), type_);
      // The neutral element is one of the wide type.
      return f_.kind == GroupFunction::kExclusiveScan ? or_neutral_in_front(found) : found;
    }
    // Integers in the order of the floats, nan at the end that wins.
    auto ordered = [&](Value* v) {
      Value* mask =
          b_.CreateAnd(b_.CreateAShr(v, bits() - 1),
                       llvm::ConstantInt::get(own, llvm::APInt::getSignedMaxValue(bits())));
      return b_.CreateXor(v, mask);
    };
    Value* winner = llvm::ConstantInt::get(own, least ? llvm::APInt::getSignedMinValue(bits())
                                                      : llvm::APInt::getSignedMaxValue(bits()));
    Value* key = ordered(b_.CreateBitCast(x(), own));
    key = b_.CreateSelect(b_.CreateFCmpUNO(x(), x()), winner, key);
    Value* found = b_.CreateTrunc(collective(name, b_.CreateSExt(key, wide), true), own);
    Value* result = b_.CreateBitCast(ordered(found), type_);
    return f_.kind == GroupFunction::kExclusiveScan ? or_neutral_in_front(result) : result;
  }

  Value* or_neutral_in_front(Value* result) {
    Value* first = b_.CreateIsNull(lane());
    if (!f_.sub_group) first = b_.CreateAnd(first, b_.CreateIsNull(ask("get_sub_group_id")));
    return b_.CreateSelect(first, first_of_scan(), result);
  }

  llvm::Constant* first_of_scan() const {
    llvm::Constant* start = neutral(f_, type_);
    return start->isNegativeZeroValue() ? llvm::Constant::getNullValue(type_) : start;
  }

  Value* vote() {
    Value* truth = b_.CreateZExt(b_.CreateIsNotNull(x()), b_.getInt32Ty());
    const char* name = f_.kind == GroupFunction::kAnyOf ? "any" : "all";
    Value* all = call_builtin(b_, fmt::format("{}_group_{}", prefix_, name), b_.getInt32Ty(),
                              {truth}, Effect::kConvergent, /*is_signed=*/true);
    return b_.CreateZExt(b_.CreateIsNotNull(all), type_);
  }

  Value* local_size(unsigned dim) {
    return call_builtin(b_, "get_local_size", b_.getInt64Ty(), {b_.getInt32(dim)});
  }

  Value* broadcast() {
    Value *width = local_size(0), *height = local_size(1);
    Value* area = b_.CreateMul(width, height);
    Value* last = b_.CreateSub(b_.CreateMul(area, local_size(2)), b_.getInt64(1));
    Value* from = least(b_.CreateZExt(index(), b_.getInt64Ty()), last);
    Value* column = b_.CreateURem(from, width);
    Value* row = b_.CreateURem(b_.CreateUDiv(from, width), height);
    Value* v = widened(x());
    v = call_builtin(b_, "work_group_broadcast", v->getType(),
                     {v, column, row, b_.CreateUDiv(from, area)}, Effect::kConvergent);
    return narrowed(v, type_);
  }

  /// The value of lane `from`, which exists.
  Value* shuffled(Value* value, Value* from) {
    Value* v = widened(value);
    v = call_builtin(b_, "sub_group_shuffle", v->getType(), {v, from}, Effect::kConvergent);
    return narrowed(v, value->getType());
  }

  /// A lane that does not exist gives the item its own value.
  Value* shuffle() {
    Value* own = lane();
    Value* by = index();
    Value* from = f_.kind == GroupFunction::kShuffle      ? by
                  : f_.kind == GroupFunction::kShuffleXor ? b_.CreateXor(own, by)
                  : f_.kind == GroupFunction::kShuffleUp  ? b_.CreateSub(own, by)
                                                          : b_.CreateAdd(own, by);
    return shuffled(x(), b_.CreateSelect(b_.CreateICmpULT(from, size()), from, own));
  }

  /// Runs body(i, state) from `first` while i < end, i = next(i); the builder then stands behind.
  template <class Body, class Next>
  Value* loop(Value* first, Value* end, Value* start, const Body& body, const Next& next) {
    BasicBlock* before = b_.GetInsertBlock();
    BasicBlock* after = before->splitBasicBlock(b_.GetInsertPoint(), "met");
    BasicBlock* head = BasicBlock::Create(b_.getContext(), "meeting", before->getParent(), after);
    BasicBlock* turn = BasicBlock::Create(b_.getContext(), "turn", before->getParent(), after);
    before->getTerminator()->setSuccessor(0, head);
    b_.SetInsertPoint(head);
    llvm::PHINode* i = b_.CreatePHI(first->getType(), 2);
    llvm::PHINode* state = b_.CreatePHI(start->getType(), 2);
    i->addIncoming(first, before);
    state->addIncoming(start, before);
    b_.CreateCondBr(b_.CreateICmpULT(i, end), turn, after);
    b_.SetInsertPoint(turn);
    Value* result = body(i, state);
    i->addIncoming(next(i), b_.GetInsertBlock());
    state->addIncoming(result, b_.GetInsertBlock());
    b_.CreateBr(head);
    b_.SetInsertPoint(&call_);
    return state;
  }

  /// x of lanes 0 to this one, combined.
  Value* scan_in_sub_group(Value* own, Value* count) {
    auto step = [&](Value* distance, Value* so_far) {
      Value* reaches = b_.CreateICmpUGE(own, distance);
      Value* from = b_.CreateSelect(reaches, b_.CreateSub(own, distance), own);
      Value* other = shuffled(so_far, from);
      return b_.CreateSelect(reaches, combine(b_, f_, other, so_far), so_far);
    };
    return loop(b_.getInt32(1), count, x(), step,
                [&](Value* i) { return b_.CreateShl(i, uint64_t{1}); });
  }

  Value* by_shuffles() {
    Value *own = lane(), *count = size();
    Value* here = scan_in_sub_group(own, count);
    Value* all = shuffled(here, b_.CreateSub(count, b_.getInt32(1)));
    Value* before = nullptr;  // of the sub-groups before this one; for a reduction, of all
    if (!f_.sub_group) before = between_sub_groups(all, own);
    if (f_.kind == GroupFunction::kReduce) return before ? before : all;
    if (f_.kind == GroupFunction::kExclusiveScan) {
      Value* previous = b_.CreateSub(own, b_.getInt32(1));
      Value* is_first = b_.CreateIsNull(own);
      here = shuffled(here, b_.CreateSelect(is_first, own, previous));
      here = b_.CreateSelect(is_first, neutral(f_, type_), here);
    }
    return before ? combine(b_, f_, before, here) : here;
  }

  /// The sub-groups' values meet in local memory, a few at a time.
  Value* between_sub_groups(Value* all, Value* own_lane) {
    constexpr uint32_t kAtOnce = 256;
    auto* table_type = llvm::ArrayType::get(type_, kAtOnce);
    auto* table = new llvm::GlobalVariable(*call_.getModule(), table_type, false,
                                           llvm::GlobalValue::InternalLinkage,
                                           llvm::PoisonValue::get(table_type), "sub_groups",
                                           nullptr, llvm::GlobalValue::NotThreadLocal, kLocal);
    Value *number = ask("get_sub_group_id"), *count = ask("get_num_sub_groups");
    Value* end = f_.kind == GroupFunction::kReduce ? count : number;
    auto place = [&](Value* i) { return b_.CreateInBoundsGEP(type_, table, i); };
    auto meet = [&] {
      call_builtin(b_, "barrier", b_.getVoidTy(), {b_.getInt32(1)}, Effect::kConvergent);
    };
    auto round = [&](Value* base, Value* so_far) {
      Value* slot = b_.CreateSub(number, base);
      Value* writes =
          b_.CreateAnd(b_.CreateICmpULT(slot, b_.getInt32(kAtOnce)), b_.CreateIsNull(own_lane));
      write_if(writes, all, [&] { return place(slot); });
      meet();
      Value* rest = b_.CreateSub(least(end, b_.CreateAdd(base, b_.getInt32(kAtOnce))), base);
      rest = b_.CreateSelect(b_.CreateICmpULT(base, end), rest, b_.getInt32(0));
      so_far = inner_loop(rest, so_far, [&](Value* i, Value* state) {
        return combine(b_, f_, state, b_.CreateLoad(type_, place(i)));
      });
      meet();
      return so_far;
    };
    return loop(b_.getInt32(0), count, neutral(f_, type_), round,
                [&](Value* i) { return b_.CreateAdd(i, b_.getInt32(kAtOnce)); });
  }

  template <class Where>
  void write_if(Value* condition, Value* value, const Where& where) {
    BasicBlock* from = b_.GetInsertBlock();
    BasicBlock* then = BasicBlock::Create(b_.getContext(), "write", from->getParent());
    BasicBlock* after = BasicBlock::Create(b_.getContext(), "written", from->getParent());
    b_.CreateCondBr(condition, then, after);
    b_.SetInsertPoint(then);
    b_.CreateStore(value, where());
    b_.CreateBr(after);
    b_.SetInsertPoint(after);
  }

  /// The loop of a block that has no terminator yet.
  template <class Body>
  Value* inner_loop(Value* count, Value* start, const Body& body) {
    BasicBlock* before = b_.GetInsertBlock();
    BasicBlock* head = BasicBlock::Create(b_.getContext(), "parts", before->getParent());
    BasicBlock* turn = BasicBlock::Create(b_.getContext(), "part", before->getParent());
    BasicBlock* after = BasicBlock::Create(b_.getContext(), "parted", before->getParent());
    b_.CreateBr(head);
    b_.SetInsertPoint(head);
    llvm::PHINode* i = b_.CreatePHI(b_.getInt32Ty(), 2);
    llvm::PHINode* state = b_.CreatePHI(start->getType(), 2);
    i->addIncoming(b_.getInt32(0), before);
    state->addIncoming(start, before);
    b_.CreateCondBr(b_.CreateICmpULT(i, count), turn, after);
    b_.SetInsertPoint(turn);
    Value* next = body(i, state);
    i->addIncoming(b_.CreateAdd(i, b_.getInt32(1)), turn);
    state->addIncoming(next, turn);
    b_.CreateBr(head);
    b_.SetInsertPoint(after);
    return state;
  }

  llvm::CallInst& call_;
  const GroupFunction f_;
  IRBuilder<> b_;
  llvm::Type* type_;
  const char* prefix_;
};

}  // namespace

void lower_group_functions(llvm::Function& kernel) {
  llvm::SmallVector<std::pair<llvm::CallInst*, GroupFunction>, 8> calls;
  for (llvm::Instruction& i : llvm::instructions(kernel))
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i))
      if (const auto f = group_function(*call->getCalledFunction())) calls.push_back({call, *f});
  for (auto& [call, f] : calls) {
    llvm::Function* declaration = call->getCalledFunction();
    call->replaceAllUsesWith(GroupCall(*call, f).write());
    call->eraseFromParent();
    if (declaration->use_empty()) declaration->eraseFromParent();
  }
}

}  // namespace hither::compiler
