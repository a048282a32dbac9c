#include "compiler/cpu/group_function_writer.h"

#include <algorithm>

#include <llvm/IR/Constants.h>

namespace hither::compiler {
namespace {

using llvm::Value;

bool votes(const GroupFunction& f) {
  return f.kind == GroupFunction::kAnyOf || f.kind == GroupFunction::kAllOf;
}

/// The number of partial results in one vector.
int64_t lanes_of(int64_t count) {
  constexpr int64_t kMost = 16;
  int64_t lanes = 1;
  while (lanes < kMost && count % (2 * lanes) == 0) lanes *= 2;
  return lanes;
}

}  // namespace

/// Writes a loop that runs body(i, state) for i in [0, count). Returns the last state. `start` may
/// be null.
template <class Body>
Value* GroupFunctionWriter::loop(int64_t count, Value* start, const Body& body) {
  llvm::LLVMContext& context = b_.getContext();
  llvm::BasicBlock* before = b_.GetInsertBlock();
  llvm::BasicBlock* head = llvm::BasicBlock::Create(context, "group_function", before->getParent());
  llvm::BasicBlock* after =
      llvm::BasicBlock::Create(context, "after_group_function", before->getParent());
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2);
  i->addIncoming(b_.getInt64(0), before);
  llvm::PHINode* state = start ? b_.CreatePHI(start->getType(), 2) : nullptr;
  if (state) state->addIncoming(start, before);
  Value* result = body(i, state);
  Value* next = b_.CreateAdd(i, b_.getInt64(1), "", true, true);
  i->addIncoming(next, b_.GetInsertBlock());
  if (state) state->addIncoming(result, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpULT(next, b_.getInt64(static_cast<uint64_t>(count))), head, after);
  b_.SetInsertPoint(after);
  return result;
}

Value* GroupFunctionWriter::element(const GroupOperand& x, Value* item) {
  if (x.same) return x.same;
  return b_.CreateLoad(x.type, b_.CreateInBoundsGEP(x.type, x.array, item));
}

Value* GroupFunctionWriter::elements(const GroupOperand& x, Value* first, int64_t count) {
  const auto lanes = static_cast<unsigned>(count);
  if (x.same) return b_.CreateVectorSplat(lanes, x.same);
  return b_.CreateAlignedLoad(llvm::FixedVectorType::get(x.type, lanes),
                              b_.CreateInBoundsGEP(x.type, x.array, first),
                              llvm::Align(x.type->getScalarSizeInBits() / 8));
}

/// Votes treat every value except 0 as true.
Value* GroupFunctionWriter::truth(const GroupFunction& f, Value* x) {
  if (!votes(f)) return x;
  return b_.CreateZExt(b_.CreateIsNotNull(x), x->getType());
}

void GroupFunctionWriter::store(Value* value, Value* results, Value* item) {
  b_.CreateStore(value, b_.CreateInBoundsGEP(value->getType(), results, item));
}

Value* GroupFunctionWriter::reduce(const GroupFunction& f, const GroupOperand& x, Value* first,
                                   int64_t count) {
  const int64_t lanes = lanes_of(count);
  auto part = [&](Value* at) { return truth(f, elements(x, at, lanes)); };
  Value* all = part(first);
  if (count > lanes)
    all = loop(count / lanes - 1, all, [&](Value* k, Value* so_far) {
      Value* at = b_.CreateMul(b_.CreateAdd(k, b_.getInt64(1)),
                               b_.getInt64(static_cast<uint64_t>(lanes)), "", true, true);
      return combine(b_, f, so_far, part(b_.CreateAdd(first, at, "", true, true)));
    });
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    llvm::SmallVector<int, 8> low, high;
    for (int i = 0; i < half; ++i) low.push_back(i), high.push_back(static_cast<int>(half) + i);
    all = combine(b_, f, b_.CreateShuffleVector(all, low), b_.CreateShuffleVector(all, high));
  }
  return b_.CreateExtractElement(all, uint64_t{0});
}

Value* GroupFunctionWriter::write_uniform(const GroupFunction& f, const GroupOperand& x,
                                          const GroupOperand& index) {
  if (f.kind != GroupFunction::kBroadcast) return reduce(f, x, b_.getInt64(0), items_);
  // An index outside of the group has no meaning, but must not access memory outside of the array.
  Value* wanted = b_.CreateZExt(element(index, b_.getInt64(0)), b_.getInt64Ty());
  Value* last = b_.getInt64(static_cast<uint64_t>(items_ - 1));
  return element(x, b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, wanted, last));
}

void GroupFunctionWriter::write_each(const GroupFunction& f, const GroupOperand& x,
                                     const GroupOperand& index, Value* results) {
  switch (f.kind) {
    case GroupFunction::kInclusiveScan:
    case GroupFunction::kExclusiveScan:
      return scan(f, x, results);
    case GroupFunction::kShuffle:
    case GroupFunction::kShuffleXor:
    case GroupFunction::kShuffleUp:
    case GroupFunction::kShuffleDown:
      return shuffle(f, x, index, results);
    case GroupFunction::kMatch:
      return match(x, results);
    default:
      return spread(f, x, index, results);
  }
}

void GroupFunctionWriter::scan(const GroupFunction& f, const GroupOperand& x, Value* results) {
  llvm::Constant* start = neutral(f, x.type);
  llvm::Constant* first = start->isNegativeZeroValue() ? llvm::Constant::getNullValue(x.type)
                                                       : start;  // an empty sum is +0
  const bool restarts = f.sub_group && sub_group_size_ < items_;
  loop(items_, start, [&](Value* item, Value* so_far) {
    Value* at_start = b_.getTrue();
    Value* lane =
        restarts ? b_.CreateURem(item, b_.getInt64(static_cast<uint64_t>(sub_group_size_))) : item;
    at_start = b_.CreateICmpEQ(lane, b_.getInt64(0));
    if (restarts) so_far = b_.CreateSelect(at_start, start, so_far);
    Value* next = combine(b_, f, so_far, element(x, item));
    store(f.kind == GroupFunction::kInclusiveScan ? next : b_.CreateSelect(at_start, first, so_far),
          results, item);
    return next;
  });
}

/// Gives one value of each sub-group to all of its items.
void GroupFunctionWriter::spread(const GroupFunction& f, const GroupOperand& x,
                                 const GroupOperand& index, Value* results) {
  auto write = [&](Value* first, int64_t count) {
    Value* value;
    if (f.kind == GroupFunction::kBroadcast) {
      Value* wanted = b_.CreateZExt(element(index, first), b_.getInt64Ty());
      Value* last = b_.getInt64(static_cast<uint64_t>(count - 1));
      wanted = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, wanted, last);
      value = element(x, b_.CreateAdd(first, wanted));
    } else {
      value = reduce(f, x, first, count);
    }
    loop(count, nullptr, [&](Value* lane, Value*) {
      store(value, results, b_.CreateAdd(first, lane, "", true, true));
      return nullptr;
    });
  };
  const int64_t whole = items_ / sub_group_size_, rest = items_ % sub_group_size_;
  auto size = b_.getInt64(static_cast<uint64_t>(sub_group_size_));
  if (whole > 0)
    loop(whole, nullptr, [&](Value* k, Value*) {
      write(b_.CreateMul(k, size, "", true, true), sub_group_size_);
      return nullptr;
    });
  if (rest > 0) write(b_.getInt64(static_cast<uint64_t>(whole * sub_group_size_)), rest);
}

/// Compares with the numbers of all items of the sub-group.
void GroupFunctionWriter::match(const GroupOperand& x, Value* results) {
  Value* size = b_.getInt64(static_cast<uint64_t>(sub_group_size_));
  Value* items = b_.getInt64(static_cast<uint64_t>(items_));
  loop(items_, nullptr, [&](Value* item, Value*) {
    Value* first = b_.CreateSub(item, b_.CreateURem(item, size));
    Value* own = element(x, item);
    Value* same = loop(sub_group_size_, b_.getInt32(0), [&](Value* lane, Value* so_far) {
      Value* other = b_.CreateAdd(first, lane);
      Value* exists = b_.CreateICmpULT(other, items);
      Value* equals = b_.CreateICmpEQ(element(x, b_.CreateSelect(exists, other, item)), own);
      Value* bit = b_.CreateZExt(b_.CreateAnd(exists, equals), b_.getInt32Ty());
      return b_.CreateOr(so_far, b_.CreateShl(bit, b_.CreateTrunc(lane, b_.getInt32Ty())));
    });
    store(same, results, item);
    return nullptr;
  });
}

/// If the source lane does not exist, the item gets its own value.
void GroupFunctionWriter::shuffle(const GroupFunction& f, const GroupOperand& x,
                                  const GroupOperand& index, Value* results) {
  Value* size = b_.getInt64(static_cast<uint64_t>(sub_group_size_));
  Value* items = b_.getInt64(static_cast<uint64_t>(items_));
  loop(items_, nullptr, [&](Value* item, Value*) {
    Value* lane = b_.CreateURem(item, size);
    Value* first = b_.CreateSub(item, lane);
    Value* by = b_.CreateZExt(element(index, item), b_.getInt64Ty());
    Value* from = f.kind == GroupFunction::kShuffle      ? by
                  : f.kind == GroupFunction::kShuffleXor ? b_.CreateXor(lane, by)
                  : f.kind == GroupFunction::kShuffleUp  ? b_.CreateSub(lane, by)
                                                         : b_.CreateAdd(lane, by);
    Value* at = b_.CreateAdd(first, from);
    Value* exists = b_.CreateAnd(b_.CreateICmpULT(from, size), b_.CreateICmpULT(at, items));
    store(element(x, b_.CreateSelect(exists, at, item)), results, item);
    return nullptr;
  });
}

}  // namespace hither::compiler
