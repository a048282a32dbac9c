#include "compiler/device/scalars.h"

#include <algorithm>
#include <numeric>

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/module/math_functions.h"

namespace hither::compiler {
namespace {

namespace id = llvm::Intrinsic;
using llvm::FixedVectorType;
using llvm::IRBuilder;
using llvm::Value;
using Values = llvm::SmallVector<Value*, 16>;

unsigned lanes_of(const Value* v) {
  auto* type = llvm::dyn_cast<FixedVectorType>(v->getType());
  return type ? type->getNumElements() : 0;
}

Values lanes(IRBuilder<>& b, Value* vector) {
  Values values;
  for (unsigned i = 0; i < lanes_of(vector); ++i)
    values.push_back(b.CreateExtractElement(vector, uint64_t{i}));
  return values;
}

Value* gather(IRBuilder<>& b, const Values& values) {
  Value* vector = llvm::PoisonValue::get(
      FixedVectorType::get(values[0]->getType(), static_cast<unsigned>(values.size())));
  for (size_t i = 0; i < values.size(); ++i)
    vector = b.CreateInsertElement(vector, values[i], uint64_t{i});
  return vector;
}

Value* combine(IRBuilder<>& b, id::ID reduction, Value* x, Value* y) {
  switch (reduction) {
    case id::vector_reduce_add:
      return b.CreateAdd(x, y);
    case id::vector_reduce_mul:
      return b.CreateMul(x, y);
    case id::vector_reduce_and:
      return b.CreateAnd(x, y);
    case id::vector_reduce_or:
      return b.CreateOr(x, y);
    case id::vector_reduce_xor:
      return b.CreateXor(x, y);
    case id::vector_reduce_fadd:
      return b.CreateFAdd(x, y);
    case id::vector_reduce_fmul:
      return b.CreateFMul(x, y);
    default:
      return b.CreateBinaryIntrinsic(llvm::getMinMaxReductionIntrinsicOp(reduction), x, y);
  }
}

Value* reduce(IRBuilder<>& b, llvm::IntrinsicInst& call) {
  const id::ID which = call.getIntrinsicID();
  const bool has_start = which == id::vector_reduce_fadd || which == id::vector_reduce_fmul;
  Values values = lanes(b, call.getArgOperand(has_start ? 1 : 0));
  if (has_start && !call.hasAllowReassoc()) {
    Value* all = call.getArgOperand(0);
    for (Value* v : values) all = combine(b, which, all, v);
    return all;
  }
  while (values.size() > 1) {  // combines halves, as CPUs do
    const size_t half = values.size() / 2, odd = values.size() % 2;
    for (size_t i = 0; i < half; ++i) values[i] = combine(b, which, values[i], values[half + i]);
    if (odd) values[0] = combine(b, which, values[0], values.back());
    values.truncate(half);
  }
  return has_start ? combine(b, which, call.getArgOperand(0), values[0]) : values[0];
}

Value* interleave(IRBuilder<>& b, llvm::IntrinsicInst& call) {
  const int n = static_cast<int>(lanes_of(call.getArgOperand(0)));
  llvm::SmallVector<int, 32> mask;
  for (int i = 0; i < n; ++i) mask.append({i, n + i});
  return b.CreateShuffleVector(call.getArgOperand(0), call.getArgOperand(1), mask);
}

Value* deinterleave(IRBuilder<>& b, llvm::IntrinsicInst& call) {
  const int n = static_cast<int>(lanes_of(call.getArgOperand(0))) / 2;
  Value* pair = llvm::PoisonValue::get(call.getType());
  for (int part : {0, 1}) {
    llvm::SmallVector<int, 32> mask;
    for (int i = 0; i < n; ++i) mask.push_back(2 * i + part);
    pair = b.CreateInsertValue(pair, b.CreateShuffleVector(call.getArgOperand(0), mask),
                               static_cast<unsigned>(part));
  }
  return pair;
}

Value* subvector(IRBuilder<>& b, llvm::IntrinsicInst& call) {
  const bool inserts = call.getIntrinsicID() == id::vector_insert;
  const auto at =
      llvm::cast<llvm::ConstantInt>(call.getArgOperand(inserts ? 2 : 1))->getZExtValue();
  Values whole = lanes(b, call.getArgOperand(0));
  if (!inserts) {
    const unsigned n = llvm::cast<FixedVectorType>(call.getType())->getNumElements();
    return gather(b, Values(whole.begin() + at, whole.begin() + at + n));
  }
  const Values part = lanes(b, call.getArgOperand(1));
  std::copy(part.begin(), part.end(), whole.begin() + static_cast<ptrdiff_t>(at));
  return gather(b, whole);
}

/// The scalar function for the vector function `callee`.
llvm::Function* scalar_form(llvm::CallInst& call) {
  llvm::Function& callee = *call.getCalledFunction();
  llvm::Module& module = *callee.getParent();
  if (auto math = math_call(callee)) {
    math->lanes = 0;
    return declare_math(module, *math);
  }
  llvm::SmallVector<llvm::Type*, 4> types{call.getType()->getScalarType()};
  const id::ID which = callee.getIntrinsicID();
  if (which == id::fptosi_sat || which == id::fptoui_sat || which == id::lrint ||
      which == id::llrint || which == id::lround || which == id::llround || which == id::ldexp)
    types.push_back(call.getArgOperand(which == id::ldexp)->getType()->getScalarType());
  if (which == id::is_fpclass) types = {call.getArgOperand(0)->getType()->getScalarType()};
  return id::getDeclaration(&module, which, types);
}

Value* lane_by_lane(IRBuilder<>& b, llvm::CallInst& call) {
  llvm::Function* scalar = scalar_form(call);
  const unsigned n = llvm::cast<FixedVectorType>(call.getType())->getNumElements();
  Values results;
  for (unsigned i = 0; i < n; ++i) {
    Values arguments;
    for (Value* a : call.args())
      arguments.push_back(lanes_of(a) ? b.CreateExtractElement(a, uint64_t{i}) : a);
    results.push_back(b.CreateCall(scalar, arguments));
  }
  return gather(b, results);
}

Value* bits_of_lanes(IRBuilder<>& b, llvm::BitCastInst& cast) {
  Value* from = cast.getOperand(0);
  const unsigned width = from->getType()->getScalarSizeInBits();
  llvm::Type* lane = b.getIntNTy(width);
  llvm::Type* whole = b.getIntNTy(width * lanes_of(from));
  Value* bits = llvm::ConstantInt::get(whole, 0);
  for (unsigned i = 0; i < lanes_of(from); ++i) {
    Value* part = b.CreateBitCast(b.CreateExtractElement(from, uint64_t{i}), lane);
    bits = b.CreateOr(bits, b.CreateShl(b.CreateZExt(part, whole), uint64_t{width} * i));
  }
  return b.CreateBitCast(bits, cast.getType());
}

Value* lanes_of_bits(IRBuilder<>& b, llvm::BitCastInst& cast) {
  auto* type = llvm::cast<FixedVectorType>(cast.getType());
  const unsigned width = type->getScalarSizeInBits();
  Value* bits = b.CreateBitCast(cast.getOperand(0), b.getIntNTy(width * type->getNumElements()));
  Values values;
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    Value* part = b.CreateTrunc(b.CreateLShr(bits, uint64_t{width} * i), b.getIntNTy(width));
    values.push_back(b.CreateBitCast(part, type->getElementType()));
  }
  return gather(b, values);
}

bool is_load(id::ID which) { return which == id::masked_gather || which == id::masked_load; }
bool is_store(id::ID which) { return which == id::masked_scatter || which == id::masked_store; }

/// The address of lane i: lanes are contiguous, or each has its own address.
Value* address_of_lane(IRBuilder<>& b, Value* address, llvm::Type* lane, uint64_t i) {
  return lanes_of(address) ? b.CreateExtractElement(address, i)
                           : b.CreateConstInBoundsGEP1_64(lane, address, i);
}

llvm::Align lane_alignment(const Value* alignment, llvm::Type* lane) {
  return llvm::commonAlignment(llvm::cast<llvm::ConstantInt>(alignment)->getAlignValue(),
                               lane->getScalarSizeInBits() / 8);
}

/// Whether the mask is true for the lanes below a length. Then the first lane is active if any is.
bool is_below_length(Value* mask) {
  using llvm::CmpInst;
  CmpInst::Predicate order;
  Value *x, *y;
  if (!match(mask, llvm::PatternMatch::m_ICmp(order, llvm::PatternMatch::m_Value(x),
                                              llvm::PatternMatch::m_Value(y))))
    return false;
  if (llvm::isa<llvm::Constant>(y)) {
    order = CmpInst::getSwappedPredicate(order);
    std::swap(x, y);
  }
  auto* ids = llvm::dyn_cast<llvm::ConstantDataVector>(x);
  if (!ids || !llvm::isSplatValue(y) || (order != CmpInst::ICMP_ULT && order != CmpInst::ICMP_SLT))
    return false;
  for (unsigned i = 0; i < ids->getNumElements(); ++i)
    if (ids->getElementAsInteger(i) != i) return false;
  return true;
}

/// Lanes of a load that share a branch. With one branch for each of the 64 lanes of a reduction,
/// device compilers take seconds. Without branches, short rows would read as much memory as long
/// ones.
constexpr unsigned kTogether = 8;

/// Emits a branch for several lanes of a load if the mask is a length. Inactive lanes then read the
/// address of the first lane of their branch. For other masks emits a branch for each lane.
void branch_loads(llvm::IntrinsicInst& call) {
  IRBuilder<> b(&call);
  llvm::Type* lane = call.getType()->getScalarType();
  const llvm::Align align = lane_alignment(call.getArgOperand(1), lane);
  const Values wanted = lanes(b, call.getArgOperand(2)), others = lanes(b, call.getArgOperand(3));
  const size_t together = is_below_length(call.getArgOperand(2)) ? kTogether : 1;
  Values results;
  for (size_t first = 0; first < wanted.size(); first += together) {
    const size_t end = std::min(first + together, wanted.size());
    llvm::BasicBlock* before = call.getParent();
    b.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(wanted[first], &call, /*Unreachable=*/false));
    llvm::BasicBlock* then = b.GetInsertBlock();
    Value* safe = address_of_lane(b, call.getArgOperand(0), lane, first);
    Values loaded;
    for (size_t i = first; i < end; ++i) {
      Value* own = address_of_lane(b, call.getArgOperand(0), lane, i);
      Value* read = b.CreateAlignedLoad(lane, b.CreateSelect(wanted[i], own, safe), align);
      loaded.push_back(b.CreateSelect(wanted[i], read, others[i]));
    }
    b.SetInsertPoint(&call);
    for (size_t i = first; i < end; ++i) {
      llvm::PHINode* phi = b.CreatePHI(lane, 2);
      phi->addIncoming(loaded[i - first], then);
      phi->addIncoming(others[i], before);
      results.push_back(phi);
    }
  }
  call.replaceAllUsesWith(gather(b, results));
  call.eraseFromParent();
}

/// Emits a branch for each lane of a masked store.
void branch_stores(llvm::IntrinsicInst& call) {
  IRBuilder<> b(&call);
  llvm::Type* lane = call.getArgOperand(0)->getType()->getScalarType();
  const llvm::Align align = lane_alignment(call.getArgOperand(2), lane);
  const Values stored = lanes(b, call.getArgOperand(0)), wanted = lanes(b, call.getArgOperand(3));
  for (size_t i = 0; i < wanted.size(); ++i) {
    b.SetInsertPoint(llvm::SplitBlockAndInsertIfThen(wanted[i], &call, /*Unreachable=*/false));
    b.CreateAlignedStore(stored[i], address_of_lane(b, call.getArgOperand(1), lane, i), align);
  }
  call.eraseFromParent();
}

Value* replacement(IRBuilder<>& b, llvm::Instruction& i) {
  if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&i)) {
    const bool from = lanes_of(cast->getOperand(0)) > 0, to = lanes_of(cast) > 0;
    return from && !to ? bits_of_lanes(b, *cast) : to && !from ? lanes_of_bits(b, *cast) : nullptr;
  }
  auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
  if (!call || !call->getCalledFunction()) return nullptr;
  if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) {
    const id::ID which = intrinsic->getIntrinsicID();
    if (which == id::vector_interleave2) return interleave(b, *intrinsic);
    if (which == id::vector_deinterleave2) return deinterleave(b, *intrinsic);
    if (which == id::vector_reverse) return b.CreateVectorReverse(call->getArgOperand(0));
    if (which == id::vector_insert || which == id::vector_extract) return subvector(b, *intrinsic);
    if (!lanes_of(call) && call->arg_size() > 0 &&
        lanes_of(call->getArgOperand(call->arg_size() - 1)))
      return reduce(b, *intrinsic);
  }
  return lanes_of(call) ? lane_by_lane(b, *call) : nullptr;
}

bool has_vectors(llvm::Type* type) {
  if (type->isVectorTy()) return true;
  return llvm::any_of(type->subtypes(), has_vectors);
}

}  // namespace

void lower_vector_memory(llvm::Function& f) {
  const llvm::DataLayout& layout = f.getParent()->getDataLayout();
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i)) {
      if (!has_vectors(variable->getAllocatedType())) continue;
      const uint64_t bytes = layout.getTypeAllocSize(variable->getAllocatedType());
      variable->setAllocatedType(
          llvm::ArrayType::get(llvm::Type::getInt8Ty(f.getContext()), bytes));
    } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&i)) {
      if (!has_vectors(address->getSourceElementType())) continue;
      IRBuilder<> b(address);
      Value* offset = llvm::emitGEPOffset(&b, layout, address);
      address->replaceAllUsesWith(b.CreateGEP(b.getInt8Ty(), address->getPointerOperand(), offset));
      address->eraseFromParent();
    }
  }
}

void scalarise_vector_calls(llvm::Function& f) {
  llvm::SmallVector<llvm::IntrinsicInst*, 16> memory;
  for (llvm::Instruction& i : llvm::instructions(f))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i))
      if (is_load(call->getIntrinsicID()) || is_store(call->getIntrinsicID()))
        memory.push_back(call);
  for (llvm::IntrinsicInst* call : memory)
    is_load(call->getIntrinsicID()) ? branch_loads(*call) : branch_stores(*call);
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
    IRBuilder<> b(&i);
    Value* value = replacement(b, i);
    if (!value) continue;
    i.replaceAllUsesWith(value);
    i.eraseFromParent();
  }
}

llvm::Type* remaining_vector(const llvm::Function& f) {
  for (const llvm::Instruction& i : llvm::instructions(f)) {
    if (i.getType()->isVectorTy()) return i.getType();
    for (const Value* operand : i.operands())
      if (operand->getType()->isVectorTy() && !llvm::isa<llvm::Argument>(operand))
        return operand->getType();
  }
  return nullptr;
}

}  // namespace hither::compiler
