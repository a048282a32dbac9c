#include "compiler/spirv/math.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/device/plain_intrinsics.h"
#include "compiler/module/diagnostics.h"
#include "compiler/module/math_functions.h"
#include "compiler/spirv/opencl_builtin.h"

namespace hither::compiler {
namespace {

namespace id = llvm::Intrinsic;
using llvm::IRBuilder;
using llvm::Value;

struct SameMeaning {
  id::ID intrinsic;
  const char* name;
};
constexpr SameMeaning kSame[] = {
    {id::sqrt, "sqrt"},   {id::floor, "floor"},       {id::ceil, "ceil"},
    {id::trunc, "trunc"}, {id::rint, "rint"},         {id::nearbyint, "rint"},
    {id::round, "round"}, {id::roundeven, "rint"},    {id::fabs, "fabs"},
    {id::fma, "fma"},     {id::copysign, "copysign"}, {id::minnum, "fmin"},
    {id::maxnum, "fmax"}, {id::ctpop, "popcount"},    {id::ctlz, "clz"},
    {id::cttz, "ctz"},    {id::uadd_sat, "add_sat"},  {id::usub_sat, "sub_sat"},
    {id::ldexp, "ldexp"},
};

unsigned bits_of(const Value* v) { return v->getType()->getScalarSizeInBits(); }

/// The OpenCL functions and instructions that replace one intrinsic call.
class OpenclExpansion {
 public:
  OpenclExpansion(IRBuilder<>& b, llvm::IntrinsicInst& call) : b_(b), call_(call) {}

  /// Null if there are none.
  Value* make() {
    const id::ID which = call_.getIntrinsicID();
    switch (which) {
      case id::lrint:
      case id::llrint:
        return b_.CreateFPToSI(builtin("rint", arg(0)), call_.getType());
      case id::lround:
      case id::llround:
        return b_.CreateFPToSI(builtin("round", arg(0)), call_.getType());
      case id::sadd_sat:
      case id::ssub_sat:
        return call_builtin(b_, which == id::sadd_sat ? "add_sat" : "sub_sat", call_.getType(),
                            {arg(0), arg(1)}, Effect::kNone, /*is_signed=*/true);
      default:
        return with_overflow(which);
    }
  }

 private:
  Value* arg(unsigned i) const { return call_.getArgOperand(i); }
  llvm::Constant* zero(Value* like) const { return llvm::Constant::getNullValue(like->getType()); }
  Value* builtin(const char* name, Value* x) { return call_builtin(b_, name, x->getType(), {x}); }

  Value* with_overflow(id::ID which) {
    if (!llvm::isa<llvm::WithOverflowInst>(call_)) return nullptr;
    Value *x = arg(0), *y = arg(1), *result = nullptr, *overflow = nullptr;
    switch (which) {
      case id::uadd_with_overflow:
        result = b_.CreateAdd(x, y);
        overflow = b_.CreateICmpULT(result, x);
        break;
      case id::usub_with_overflow:
        result = b_.CreateSub(x, y);
        overflow = b_.CreateICmpULT(x, y);
        break;
      case id::sadd_with_overflow:
        result = b_.CreateAdd(x, y);
        overflow = b_.CreateICmpSLT(b_.CreateAnd(b_.CreateXor(x, result), b_.CreateXor(y, result)),
                                    zero(x));
        break;
      case id::ssub_with_overflow:
        result = b_.CreateSub(x, y);
        overflow =
            b_.CreateICmpSLT(b_.CreateAnd(b_.CreateXor(x, y), b_.CreateXor(x, result)), zero(x));
        break;
      default: {
        const bool is_signed = which == id::smul_with_overflow;
        result = b_.CreateMul(x, y);
        Value* high = call_builtin(b_, "mul_hi", x->getType(), {x, y}, Effect::kNone, is_signed);
        Value* expected = is_signed ? b_.CreateAShr(result, bits_of(x) - 1) : zero(x);
        overflow = b_.CreateICmpNE(high, expected);
      }
    }
    Value* pair = b_.CreateInsertValue(llvm::PoisonValue::get(call_.getType()), result, 0);
    return b_.CreateInsertValue(pair, overflow, 1);
  }

  IRBuilder<>& b_;
  llvm::IntrinsicInst& call_;
};

bool is_ldexp(const llvm::Function& f) { return f.getName() == "ldexp" || f.getName() == "ldexpf"; }

bool means_nothing(id::ID which) {
  return which == id::assume || which == id::experimental_noalias_scope_decl ||
         which == id::lifetime_start || which == id::lifetime_end || which == id::dbg_declare ||
         which == id::dbg_label || which == id::dbg_value;
}

Value* lowered(IRBuilder<>& b, llvm::CallInst& call) {
  const llvm::Function& callee = *call.getCalledFunction();
  llvm::SmallVector<Value*, 3> arguments(call.args());
  if (auto math = math_call(callee))
    return call_builtin(b, math->function->name, call.getType(), arguments);
  if (is_ldexp(callee))
    return call_builtin(b, "ldexp", call.getType(), arguments, Effect::kNone, /*is_signed=*/true);
  auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (!intrinsic) return nullptr;
  for (const SameMeaning& same : kSame) {
    if (same.intrinsic != intrinsic->getIntrinsicID()) continue;
    if (same.intrinsic == id::ctlz || same.intrinsic == id::cttz) arguments.pop_back();
    return call_builtin(b, same.name, call.getType(), arguments, Effect::kNone,
                        same.intrinsic == id::ldexp);
  }
  Value* plain = plain_instructions(b, *intrinsic);
  return plain ? plain : OpenclExpansion(b, *intrinsic).make();
}

}  // namespace

void lower_math(llvm::Module& module, const std::string& kernel) {
  for (llvm::Function& f : llvm::make_early_inc_range(module)) {
    if (!f.isDeclaration() || f.getName().starts_with("_Z")) continue;
    for (llvm::User* user : llvm::make_early_inc_range(f.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      IRBuilder<> b(call);
      if (!means_nothing(f.getIntrinsicID())) {
        Value* value = lowered(b, *call);
        if (!value)
          refuse_unsupported(
              kernel, fmt::format("{} is not supported on SPIR-V devices", f.getName().str()));
        call->replaceAllUsesWith(value);
      }
      call->eraseFromParent();
    }
    f.eraseFromParent();
  }
}

}  // namespace hither::compiler
