#include "compiler/module/allowed_calls.h"

#include <algorithm>

#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/module/intrinsics.h"
#include "compiler/module/math_functions.h"

namespace hither::compiler {
namespace {

namespace id = llvm::Intrinsic;

/// Arithmetic, bits, vectors and memory. Other intrinsics are refused, because code generation may
/// end the process if the target does not support them.
constexpr id::ID kIntrinsics[] = {
    id::abs,
    id::assume,
    id::bitreverse,
    id::bswap,
    id::ceil,
    id::copysign,
    id::ctlz,
    id::ctpop,
    id::cttz,
    id::dbg_declare,
    id::dbg_label,
    id::dbg_value,
    id::expect,
    id::fabs,
    id::floor,
    id::fma,
    id::fmuladd,
    id::fptosi_sat,
    id::fptoui_sat,
    id::fshl,
    id::fshr,
    id::is_fpclass,
    id::ldexp,
    id::lifetime_end,
    id::lifetime_start,
    id::llrint,
    id::llround,
    id::lrint,
    id::lround,
    id::masked_gather,
    id::masked_load,
    id::masked_scatter,
    id::masked_store,
    id::maximum,
    id::maxnum,
    id::memcpy,
    id::memcpy_inline,
    id::memmove,
    id::memset,
    id::memset_inline,
    id::minimum,
    id::minnum,
    id::nearbyint,
    id::powi,
    id::rint,
    id::round,
    id::roundeven,
    id::sadd_sat,
    id::sadd_with_overflow,
    id::smax,
    id::smin,
    id::smul_with_overflow,
    id::sqrt,
    id::sshl_sat,
    id::ssub_sat,
    id::ssub_with_overflow,
    id::trunc,
    id::uadd_sat,
    id::uadd_with_overflow,
    id::umax,
    id::umin,
    id::umul_with_overflow,
    id::ushl_sat,
    id::usub_sat,
    id::usub_with_overflow,
    id::vector_extract,
    id::vector_insert,
    id::vector_interleave2,
    id::vector_deinterleave2,
    id::vector_reduce_add,
    id::vector_reduce_and,
    id::vector_reduce_fadd,
    id::vector_reduce_fmax,
    id::vector_reduce_fmaximum,
    id::vector_reduce_fmin,
    id::vector_reduce_fminimum,
    id::vector_reduce_fmul,
    id::vector_reduce_mul,
    id::vector_reduce_or,
    id::vector_reduce_smax,
    id::vector_reduce_smin,
    id::vector_reduce_umax,
    id::vector_reduce_umin,
    id::vector_reduce_xor,
    id::vector_reverse,
};

/// libm functions whose parameters have different types. They remain calls of libm.
struct OtherFunction {
  const char* name;
  const char* type;
};
constexpr OtherFunction kOther[] = {
    {"ldexp", "d(di)"},  {"ldexpf", "s(si)"}, {"frexp", "d(dp)"},
    {"frexpf", "s(sp)"}, {"modf", "d(dp)"},   {"modff", "s(sp)"},
};

char letter_of(const llvm::Type* type) {
  if (type->isDoubleTy()) return 'd';
  if (type->isFloatTy()) return 's';
  if (type->isIntegerTy(32)) return 'i';
  if (type->isPointerTy()) return 'p';
  return '?';
}

bool is_other_function(const llvm::Function& f) {
  llvm::StringRef name = f.getName();
  name.consume_front("numba_");
  std::string type(1, letter_of(f.getReturnType()));
  type += '(';
  for (const llvm::Type* p : f.getFunctionType()->params()) type += letter_of(p);
  type += ')';
  return std::ranges::any_of(
      kOther, [&](const OtherFunction& o) { return name == o.name && type == o.type; });
}

}  // namespace

std::string why_not_callable(const llvm::Function& f) {
  std::string name = f.getName().str();
  if (intrinsic_of(f) || math_call(f) || is_known_libm_name(f)) return {};
  if (f.isIntrinsic()) {
    if (std::ranges::find(kIntrinsics, f.getIntrinsicID()) != std::end(kIntrinsics)) return {};
    return fmt::format("kernels may not use the intrinsic {}", name);
  }
  if (is_other_function(f) || f.getName().starts_with("hither_")) return {};
  if (f.getName().starts_with("hither."))
    return fmt::format("hither has no intrinsic {} with this type", name);
  return fmt::format(
      "{} is not defined: a kernel may call hither.* intrinsics, LLVM's math "
      "intrinsics, libm's functions, the device library (hither_*) and "
      "functions of its own module",
      name);
}

}  // namespace hither::compiler
