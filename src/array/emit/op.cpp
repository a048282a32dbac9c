// Emits every operation of the op table.
#include <cmath>
#include <span>

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Module.h>

#include "array/emit/element.h"
#include "array/emit/producers.h"
#include "target/kernel_module.h"

namespace hither::array {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

Value* ElementEmitter::intrinsic(Intrinsic::ID id, llvm::ArrayRef<Value*> args) {
  return b.CreateIntrinsic(id, {args[0]->getType()}, args);
}

Value* ElementEmitter::lane(Value* v, int i) {
  return lanes_ == 1 ? v : b.CreateExtractElement(v, static_cast<uint64_t>(i));
}

namespace {

/// From this many lanes on, a function is called in a loop over them. For CPUs, LLVM vectorises the
/// loop if it can. With a call for each lane, LLVM would inline as many copies, and compile for
/// seconds.
constexpr int kLoopedLanes = 8;

llvm::FunctionCallee pure_function(llvm::IRBuilder<>& b, const std::string& name,
                                   llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
  llvm::Module* m = b.GetInsertBlock()->getModule();
  auto callee = m->getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
  auto* f = llvm::cast<llvm::Function>(callee.getCallee());
  f->setDoesNotAccessMemory();
  f->setDoesNotThrow();
  f->setWillReturn();
  return callee;
}

/// Operations that are a single instruction, for integers and for floats (0: none).
struct Arithmetic {
  Op op;
  int integers, floats;
};
using Instruction = llvm::Instruction;
constexpr Arithmetic kArithmetic[] = {
    {Op::add, Instruction::Add, Instruction::FAdd},
    {Op::subtract, Instruction::Sub, Instruction::FSub},
    {Op::multiply, Instruction::Mul, Instruction::FMul},
    {Op::divide, 0, Instruction::FDiv},
    {Op::bitwise_and, Instruction::And, 0},
    {Op::bitwise_or, Instruction::Or, 0},
    {Op::bitwise_xor, Instruction::Xor, 0},
};

/// 0 if no instruction computes it.
int instruction_of(Op op, bool floats) {
  for (const Arithmetic& a : kArithmetic)
    if (a.op == op) return floats ? a.floats : a.integers;
  return 0;
}

struct FloatIntrinsic {
  Op op;
  Intrinsic::ID id;
};
/// Available in float16 as well as in wider floats.
constexpr FloatIntrinsic kExact[] = {
    {Op::absolute, Intrinsic::fabs}, {Op::copysign, Intrinsic::copysign},
    {Op::floor, Intrinsic::floor},   {Op::ceil, Intrinsic::ceil},
    {Op::trunc, Intrinsic::trunc},   {Op::round, Intrinsic::roundeven},
};
/// Available in float32 and float64.
constexpr FloatIntrinsic kRounded[] = {
    {Op::sqrt, Intrinsic::sqrt}, {Op::exp, Intrinsic::exp},   {Op::exp2, Intrinsic::exp2},
    {Op::log, Intrinsic::log},   {Op::log2, Intrinsic::log2}, {Op::log10, Intrinsic::log10},
    {Op::sin, Intrinsic::sin},   {Op::cos, Intrinsic::cos},   {Op::power, Intrinsic::pow},
};

Intrinsic::ID intrinsic_of(std::span<const FloatIntrinsic> table, Op op) {
  for (const FloatIntrinsic& i : table)
    if (i.op == op) return i.id;
  return Intrinsic::not_intrinsic;
}

}  // namespace

Value* ElementEmitter::call_math(const std::string& name, llvm::ArrayRef<Value*> args) {
  llvm::Type* type = args[0]->getType();
  const bool is_double = type->getScalarType()->isDoubleTy();
  const std::string width = lanes_ == 1 ? "" : "v" + std::to_string(lanes_);
  const llvm::SmallVector<llvm::Type*> parameters(args.size(), type);
  return b.CreateCall(
      pure_function(b, "hither.math." + name + "." + width + (is_double ? "f64" : "f32"), type,
                    parameters),
      args);
}

Value* ElementEmitter::call(const std::string& name, llvm::ArrayRef<Value*> args) {
  llvm::Type* scalar = args[0]->getType()->getScalarType();
  const llvm::SmallVector<llvm::Type*> parameters(args.size(), scalar);
  auto callee = pure_function(b, name, scalar, parameters);
  return for_each_lane(
             scalar, args,
             [&](llvm::ArrayRef<Value*> one) { return Element{b.CreateCall(callee, one)}; })
      .re;
}

Element ElementEmitter::call_complex(const std::string& name, DType t,
                                     llvm::ArrayRef<Value*> args) {
  // void f(re, im, [re2, im2,] ptr result): the library function stores both parts.
  llvm::Type* part = memory_type(t);
  llvm::Type* pair = llvm::StructType::get(part, part);
  llvm::Module* m = b.GetInsertBlock()->getModule();
  llvm::SmallVector<llvm::Type*> parameters(args.size(), part);
  parameters.push_back(b.getPtrTy());
  auto callee =
      m->getOrInsertFunction(name, llvm::FunctionType::get(b.getVoidTy(), parameters, false));
  auto* f = llvm::cast<llvm::Function>(callee.getCallee());
  f->setDoesNotThrow();
  f->setWillReturn();
  Value* slot = variable(pair);
  return for_each_lane(part, args, [&](llvm::ArrayRef<Value*> one) {
    llvm::SmallVector<Value*> all(one);
    all.push_back(slot);
    b.CreateCall(callee, all);
    return Element{b.CreateLoad(part, b.CreateStructGEP(pair, slot, 0)),
                   b.CreateLoad(part, b.CreateStructGEP(pair, slot, 1))};
  });
}

Value* ElementEmitter::variable(llvm::Type* type) {
  llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
  return llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
}

Element ElementEmitter::for_each_lane(llvm::Type* scalar, llvm::ArrayRef<Value*> args,
                                      llvm::function_ref<Element(llvm::ArrayRef<Value*>)> f) {
  if (lanes_ == 1) return f(args);
  if (lanes_ >= kLoopedLanes) return loop_over_lanes(scalar, args, f);
  Element result{llvm::PoisonValue::get(widen(scalar)), llvm::PoisonValue::get(widen(scalar))};
  for (int i = 0; i < lanes_; ++i) {
    llvm::SmallVector<Value*> one;
    for (Value* a : args) one.push_back(lane(a, i));
    const Element r = f(one);
    result.re = b.CreateInsertElement(result.re, r.re, static_cast<uint64_t>(i));
    if (r.im) result.im = b.CreateInsertElement(result.im, r.im, static_cast<uint64_t>(i));
  }
  return result;
}

Element ElementEmitter::loop_over_lanes(llvm::Type* scalar, llvm::ArrayRef<Value*> args,
                                        llvm::function_ref<Element(llvm::ArrayRef<Value*>)> f) {
  llvm::Type* const vector = widen(scalar);
  struct Argument {
    Value *same, *memory;  ///< one number for all lanes, or memory of one for each
  };
  llvm::SmallVector<Argument> stored;
  for (Value* a : args) {
    stored.push_back({llvm::getSplatValue(a), nullptr});
    if (stored.back().same) continue;
    stored.back().memory = variable(vector);
    b.CreateStore(a, stored.back().memory);
  }
  Value *re = nullptr, *im = nullptr;
  emit_loop(b, b.getInt64(0), b.getInt64(lanes_), b.getInt64(1), {},
            [&](Value* i, const std::vector<Value*>&) -> std::vector<Value*> {
              llvm::cast<llvm::Instruction>(i)->setMetadata(target::kLaneLoop,
                                                            llvm::MDNode::get(b.getContext(), {}));
              const auto place = [&](Value* of) { return b.CreateInBoundsGEP(scalar, of, i); };
              llvm::SmallVector<Value*> one;
              for (const Argument& a : stored)
                one.push_back(a.same ? a.same : b.CreateLoad(scalar, place(a.memory)));
              const Element r = f(one);
              b.CreateStore(r.re, place(re = variable(vector)));
              if (r.im) b.CreateStore(r.im, place(im = variable(vector)));
              return {};
            });
  return {b.CreateLoad(vector, re), im ? b.CreateLoad(vector, im) : nullptr};
}

Element ElementEmitter::apply(Op op, DType t, const Element* x) {
  if (t == DType::kBFloat16 && op == Op::nextafter)
    return {call("hither_nextafter_bf16", {x[0].re, x[1].re})};
  if (t == DType::kBFloat16 && op != Op::where) return bfloat16_op(op, x);
  switch (op) {
    case Op::where: {
      Element e{b.CreateSelect(x[0].re, x[1].re, x[2].re)};
      if (x[1].im) e.im = b.CreateSelect(x[0].re, x[1].im, x[2].im);
      return e;
    }
    case Op::equal:
    case Op::not_equal:
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal:
      return compare(op, t, x);
    default:
      break;
  }
  if (is_complex(t)) return complex_op(op, t, x);
  if (t == DType::kBool) return bool_op(op, x);
  return real_op(op, t, x);
}

Element ElementEmitter::compare(Op op, DType t, const Element* x) {
  using P = llvm::CmpInst::Predicate;
  if (is_complex(t) && (op == Op::equal || op == Op::not_equal)) {
    Value* same = b.CreateAnd(b.CreateFCmpOEQ(x[0].re, x[1].re), b.CreateFCmpOEQ(x[0].im, x[1].im));
    return {op == Op::equal ? same : b.CreateNot(same)};
  }
  const bool is_signed = kind_of(t) == DTypeKind::kInt;
  struct Row {
    Op op;
    P fp, si, ui;
  };
  static constexpr Row rows[] = {
      {Op::equal, P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ},
      {Op::not_equal, P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE},
      {Op::less, P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT},
      {Op::less_equal, P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE},
      {Op::greater, P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT},
      {Op::greater_equal, P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE},
  };
  for (const Row& row : rows) {
    if (row.op != op) continue;
    if (is_complex(t)) {
      // As NumPy orders them: by the real parts, then by the imaginary parts, of which none is NaN.
      const P strictly = op == Op::less || op == Op::less_equal ? P::FCMP_OLT : P::FCMP_OGT;
      Value* first =
          b.CreateAnd(b.CreateFCmp(strictly, x[0].re, x[1].re), b.CreateFCmpORD(x[0].im, x[1].im));
      Value* then =
          b.CreateAnd(b.CreateFCmpOEQ(x[0].re, x[1].re), b.CreateFCmp(row.fp, x[0].im, x[1].im));
      return {b.CreateOr(first, then)};
    }
    if (is_floating(t)) return {b.CreateFCmp(row.fp, x[0].re, x[1].re)};
    return {b.CreateICmp(is_signed ? row.si : row.ui, x[0].re, x[1].re)};
  }
  return {};
}

Element ElementEmitter::bool_op(Op op, const Element* x) {
  switch (op) {
    case Op::add:
    case Op::logical_or:
    case Op::bitwise_or:
    case Op::maximum:
      return {b.CreateOr(x[0].re, x[1].re)};
    case Op::multiply:
    case Op::logical_and:
    case Op::bitwise_and:
    case Op::minimum:
      return {b.CreateAnd(x[0].re, x[1].re)};
    case Op::logical_xor:
    case Op::bitwise_xor:
      return {b.CreateXor(x[0].re, x[1].re)};
    case Op::logical_not:
    case Op::bitwise_invert:
      return {b.CreateNot(x[0].re)};
    case Op::isfinite:
      return {llvm::ConstantInt::getTrue(x[0].re->getType())};
    case Op::isnan:
    case Op::isinf:
    case Op::imag:
    case Op::signbit:
      return {llvm::ConstantInt::getFalse(x[0].re->getType())};
    default:
      return x[0];  // absolute, square, cube, real, conj and rounding
  }
}

Element ElementEmitter::real_op(Op op, DType t, const Element* x) {
  switch (op) {
    case Op::positive:
    case Op::real:
    case Op::conj:
      return x[0];
    case Op::imag:
      return {select_zero(t)};
    default:
      break;
  }
  return is_floating(t) ? float_op(op, t, x) : integer_op(op, t, x);
}

Element ElementEmitter::integer_op(Op op, DType t, const Element* x) {
  const bool is_signed = kind_of(t) == DTypeKind::kInt;
  Value* zero = select_zero(t);
  Value* a = x[0].re;
  const bool binary = info_of(op).arity == 2;
  Value* c = binary ? x[1].re : nullptr;
  auto truth = [&](bool v) -> Element {
    return {v ? llvm::ConstantInt::getTrue(part_type(DType::kBool))
              : llvm::ConstantInt::getFalse(part_type(DType::kBool))};
  };
  if (const int instruction = instruction_of(op, false))
    return {b.CreateBinOp(static_cast<Instruction::BinaryOps>(instruction), a, c)};
  switch (op) {
    case Op::square:
      return {b.CreateMul(a, a)};
    case Op::cube:
      return {b.CreateMul(b.CreateMul(a, a), a)};
    case Op::negative:
      return {b.CreateNeg(a)};
    case Op::absolute:
      return {is_signed ? b.CreateBinaryIntrinsic(Intrinsic::abs, a, b.getFalse()) : a};
    case Op::sign: {
      Value* one = constant(t, 1);
      Value* positive = b.CreateSelect(b.CreateICmpEQ(a, zero), zero, one);
      return {is_signed ? b.CreateSelect(b.CreateICmpSLT(a, zero), constant(t, -1), positive)
                        : positive};
    }
    case Op::floor_divide:
    case Op::remainder:
      return {call("hither_" + std::string(info_of(op).name) + "_" + library_suffix(t), {a, c})};
    case Op::power:
      return {call("hither_pow_" + library_suffix(t), {a, c})};
    case Op::maximum:
      return {b.CreateBinaryIntrinsic(is_signed ? Intrinsic::smax : Intrinsic::umax, a, c)};
    case Op::minimum:
      return {b.CreateBinaryIntrinsic(is_signed ? Intrinsic::smin : Intrinsic::umin, a, c)};
    case Op::bitwise_invert:
      return {b.CreateNot(a)};
    case Op::bitwise_left_shift:
    case Op::bitwise_right_shift: {
      const double width = size_of(t) * 8;
      Value* fits = b.CreateICmpULT(c, constant(t, width));
      Value* amount = b.CreateSelect(fits, c, zero);
      if (op == Op::bitwise_left_shift) return {b.CreateSelect(fits, b.CreateShl(a, amount), zero)};
      Value* beyond = is_signed ? b.CreateAShr(a, constant(t, width - 1)) : zero;
      Value* shifted = is_signed ? b.CreateAShr(a, amount) : b.CreateLShr(a, amount);
      return {b.CreateSelect(fits, shifted, beyond)};
    }
    case Op::isnan:
    case Op::isinf:
      return truth(false);
    case Op::isfinite:
      return truth(true);
    case Op::signbit:
      return is_signed ? Element{b.CreateICmpSLT(a, zero)} : truth(false);
    default:
      return x[0];  // rounding
  }
}

// LLVM 19 loses NaNs in minima and maxima of half vectors, so these are computed lane by lane.
Value* ElementEmitter::extreme(Intrinsic::ID id, DType t, Value* x, Value* y) {
  if (t != DType::kFloat16) return intrinsic(id, {x, y});
  Value* first = id == Intrinsic::maximum ? b.CreateFCmpOGE(x, y) : b.CreateFCmpOLE(x, y);
  return b.CreateSelect(b.CreateFCmpUNO(x, y), b.CreateFAdd(x, y), b.CreateSelect(first, x, y));
}

Element ElementEmitter::float_op(Op op, DType t, const Element* x) {
  Value* a = x[0].re;
  Value* c = info_of(op).arity == 2 ? x[1].re : nullptr;
  Value* zero = select_zero(t);
  if (const int instruction = instruction_of(op, true))
    return {b.CreateBinOp(static_cast<Instruction::BinaryOps>(instruction), a, c)};
  llvm::SmallVector<Value*, 2> args{a};
  if (c) args.push_back(c);
  if (const auto id = intrinsic_of(kExact, op)) return {intrinsic(id, args)};
  switch (op) {
    case Op::square:
      return {b.CreateFMul(a, a)};
    case Op::reciprocal:
      return {b.CreateFDiv(constant(t, 1), a)};
    case Op::negative:
      return {b.CreateFNeg(a)};
    case Op::maximum:
      return {extreme(Intrinsic::maximum, t, a, c)};
    case Op::minimum:
      return {extreme(Intrinsic::minimum, t, a, c)};
    case Op::isnan:
      return {b.CreateFCmpUNO(a, a)};
    case Op::isinf:
      return {b.CreateFCmpOEQ(intrinsic(Intrinsic::fabs, {a}), constant(t, INFINITY))};
    case Op::isfinite:
      return {b.CreateFCmpONE(intrinsic(Intrinsic::fabs, {a}), constant(t, INFINITY))};
    case Op::signbit: {
      llvm::Type* bits = widen(b.getIntNTy(static_cast<unsigned>(size_of(t)) * 8));
      return {b.CreateICmpSLT(b.CreateBitCast(a, bits), llvm::Constant::getNullValue(bits))};
    }
    case Op::sign: {
      Value* below = b.CreateSelect(b.CreateFCmpOLT(a, zero), constant(t, -1), a);
      Value* above = b.CreateSelect(b.CreateFCmpOGT(a, zero), constant(t, 1), below);
      return {b.CreateSelect(b.CreateFCmpOEQ(a, zero), zero, above)};  // also for -0
    }
    default:
      break;
  }
  if (t == DType::kFloat16 && op != Op::nextafter) {
    Element wide[2] = {cast(x[0], t, DType::kFloat32)};
    if (c) wide[1] = cast(x[1], t, DType::kFloat32);
    return cast(float_op(op, DType::kFloat32, wide), DType::kFloat32, t);
  }
  if (const auto id = intrinsic_of(kRounded, op)) return {intrinsic(id, args)};
  switch (op) {
    case Op::floor_divide:
    case Op::remainder:
    case Op::logaddexp:
    case Op::nextafter:
    case Op::cube:
    case Op::rsqrt:
      return {call("hither_" + std::string(info_of(op).name) + "_" + library_suffix(t), args)};
    default:  // the libm function of that name
      return {call_math(std::string(info_of(op).name), args)};
  }
}

Element ElementEmitter::complex_multiply(const Element& x, const Element& y) {
  return {b.CreateFSub(b.CreateFMul(x.re, y.re), b.CreateFMul(x.im, y.im)),
          b.CreateFAdd(b.CreateFMul(x.re, y.im), b.CreateFMul(x.im, y.re))};
}

Element ElementEmitter::complex_op(Op op, DType t, const Element* x) {
  const DType part = real_dtype(t);
  auto each = [&](auto f) -> Element {
    Element re[2] = {{x[0].re}}, im[2] = {{x[0].im}};
    return {f(re).re, f(im).re};
  };
  switch (op) {
    case Op::add:
      return {b.CreateFAdd(x[0].re, x[1].re), b.CreateFAdd(x[0].im, x[1].im)};
    case Op::subtract:
      return {b.CreateFSub(x[0].re, x[1].re), b.CreateFSub(x[0].im, x[1].im)};
    case Op::multiply:
      return complex_multiply(x[0], x[1]);
    case Op::square:
      return complex_multiply(x[0], x[0]);
    case Op::cube:
      return complex_multiply(complex_multiply(x[0], x[0]), x[0]);
    case Op::negative:
      return {b.CreateFNeg(x[0].re), b.CreateFNeg(x[0].im)};
    case Op::positive:
      return x[0];
    case Op::conj:
      return {x[0].re, b.CreateFNeg(x[0].im)};
    case Op::real:
      return {x[0].re};
    case Op::imag:
      return {x[0].im};
    case Op::round:
      return each([&](Element* e) { return float_op(Op::round, part, e); });
    case Op::absolute:
      return {call_math("hypot", {x[0].re, x[0].im})};
    case Op::isnan:
      return {b.CreateFCmpUNO(x[0].re, x[0].im)};
    case Op::isinf:
    case Op::isfinite: {
      Element re{x[0].re}, im{x[0].im};
      Value* r = float_op(op, part, &re).re;
      Value* i = float_op(op, part, &im).re;
      return {op == Op::isinf ? b.CreateOr(r, i) : b.CreateAnd(r, i)};
    }
    default:
      break;
  }
  const std::string verb = op == Op::power ? "pow" : std::string(info_of(op).name);
  const std::string name = "hither_" + verb + "_" + library_suffix(t);
  llvm::SmallVector<Value*, 4> args{x[0].re, x[0].im};
  if (info_of(op).arity == 2) args.append({x[1].re, x[1].im});
  return call_complex(name, t, args);
}

}  // namespace hither::array
