#include "compiler/ptx/math.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "compiler/device/plain_intrinsics.h"
#include "compiler/module/link_device_library.h"
#include "compiler/module/link_module.h"
#include "compiler/module/math_functions.h"
#include "compiler/ptx/libdevice.h"

namespace hither::compiler {
namespace {

namespace id = llvm::Intrinsic;
using llvm::IRBuilder;
using llvm::Value;

/// Intrinsics that the code generator supports at every type that a kernel may use.
constexpr id::ID kNative[] = {
    id::sqrt,
    id::floor,
    id::ceil,
    id::trunc,
    id::rint,
    id::nearbyint,
    id::round,
    id::roundeven,
    id::fabs,
    id::fma,
    id::copysign,
    id::minnum,
    id::maxnum,
    id::ctpop,
    id::ctlz,
    id::cttz,
    id::uadd_sat,
    id::usub_sat,
    id::sadd_sat,
    id::ssub_sat,
    id::smax,
    id::smin,
    id::umax,
    id::umin,
    id::abs,
    id::fshl,
    id::fshr,
    id::bswap,
    id::bitreverse,
    id::memcpy,
    id::memmove,
    id::memset,
    id::memcpy_inline,
    id::assume,
    id::lifetime_start,
    id::lifetime_end,
    id::experimental_noalias_scope_decl,
    id::uadd_with_overflow,
    id::usub_with_overflow,
    id::umul_with_overflow,
    id::sadd_with_overflow,
    id::ssub_with_overflow,
    id::smul_with_overflow,
};

/// Functions of double (d) and float (s) in the device library.
struct TableFunction {
  std::string_view name;
  char type;
  bool is_short;
};
constexpr TableFunction kOfTables[] = {{"exp", 'd', true},  {"log", 'd', true},
                                       {"erf", 'd', true},  {"log1p", 'd', true},
                                       {"pow", 'd', false}, {"pow", 's', true}};

/// Functions of the device library that libdevice has, as accurate and shorter.
constexpr std::pair<const char*, const char*> kOfLibdevice[] = {
    {"hither_erfinv_f32", "__nv_erfinvf"}};

bool is_native(const llvm::Function& f) {
  return f.getName().starts_with("llvm.nvvm.") ||
         std::ranges::find(kNative, f.getIntrinsicID()) != std::end(kNative);
}

Value* call_library(IRBuilder<>& b, llvm::StringRef name, llvm::Type* type,
                    llvm::ArrayRef<Value*> arguments) {
  llvm::SmallVector<llvm::Type*, 3> types;
  for (const Value* a : arguments) types.push_back(a->getType());
  const std::string full = fmt::format("__nv_{}{}", name.str(), type->isFloatTy() ? "f" : "");
  return b.CreateCall(b.GetInsertBlock()->getModule()->getOrInsertFunction(
                          full, llvm::FunctionType::get(type, types, false)),
                      arguments);
}

bool is_ldexp(const llvm::Function& f) {
  return f.getName() == "ldexp" || f.getName() == "ldexpf" || f.getIntrinsicID() == id::ldexp;
}

/// The nearest integer; ties go to even or away from zero.
Value* rounded(IRBuilder<>& b, llvm::CallInst& call, id::ID how) {
  return b.CreateFPToSI(b.CreateUnaryIntrinsic(how, call.getArgOperand(0)), call.getType());
}

Value* ldexp(IRBuilder<>& b, llvm::CallInst& call) {
  Value *x = call.getArgOperand(0), *exponent = call.getArgOperand(1);
  if (!exponent->getType()->isIntegerTy(32)) return nullptr;
  if (!x->getType()->isHalfTy()) return call_library(b, "ldexp", x->getType(), {x, exponent});
  llvm::Type* wide = b.getFloatTy();
  return b.CreateFPTrunc(call_library(b, "ldexp", wide, {b.CreateFPExt(x, wide), exponent}),
                         x->getType());
}

Value* lowered(IRBuilder<>& b, llvm::CallInst& call) {
  const llvm::Function& callee = *call.getCalledFunction();
  if (auto math = math_call(callee)) {
    llvm::SmallVector<Value*, 3> arguments(call.args());
    return call_library(b, math->function->name, call.getType(), arguments);
  }
  if (is_ldexp(callee)) return ldexp(b, call);
  auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call);
  if (!intrinsic) return nullptr;
  switch (intrinsic->getIntrinsicID()) {
    case id::lrint:
    case id::llrint:
      return rounded(b, call, id::rint);
    case id::lround:
    case id::llround:
      return rounded(b, call, id::round);
    default:
      return plain_instructions(b, *intrinsic);
  }
}

/// The code generator's x - y * trunc(x / y) is wrong if x / y is large.
void replace_remainders(llvm::Function& f) {
  for (llvm::Instruction& i : llvm::make_early_inc_range(llvm::instructions(f))) {
    if (i.getOpcode() != llvm::Instruction::FRem) continue;
    IRBuilder<> b(&i);
    llvm::Type* type = i.getType()->isHalfTy() ? b.getFloatTy() : i.getType();
    Value* x = b.CreateFPCast(i.getOperand(0), type);
    Value* y = b.CreateFPCast(i.getOperand(1), type);
    i.replaceAllUsesWith(b.CreateFPCast(call_library(b, "fmod", type, {x, y}), i.getType()));
    i.eraseFromParent();
  }
}

}  // namespace

bool is_short(const MathCall& call) noexcept {
  return call.type != 'd' || std::ranges::any_of(kOfTables, [&](const TableFunction& f) {
           return f.type == call.type && f.is_short && f.name == call.function->name;
         });
}

void call_libdevice(llvm::Module& module) {
  for (const auto& [own, name] : kOfLibdevice)
    if (llvm::Function* f = module.getFunction(own)) f->setName(name);
}

void inline_table_math(llvm::Module& module, const std::string& kernel, Diagnostics& diagnostics) {
  bool is_used = false;
  for (const TableFunction& table : kOfTables) {
    const int bits = table.type == 'd' ? 64 : 32;
    llvm::Function* f = module.getFunction(fmt::format("hither.math.{}.f{}", table.name, bits));
    if (!f) continue;
    f->replaceAllUsesWith(module
                              .getOrInsertFunction(fmt::format("hither_{}_f{}", table.name, bits),
                                                   f->getFunctionType())
                              .getCallee());
    f->eraseFromParent();
    is_used = true;
  }
  if (!is_used) return;
  link_device_library(module, DeviceLibrary::kPortable, kernel, diagnostics);
  inline_everything(module);
}

void lower_ptx_math(llvm::Module& module, const std::string& kernel) {
  llvm::SmallVector<llvm::Function*, 16> declared;
  for (llvm::Function& f : module) {
    if (!f.isDeclaration())
      replace_remainders(f);
    else if (!is_native(f) && !is_libdevice(f))
      declared.push_back(&f);
  }
  for (llvm::Function* f : declared) {
    for (llvm::User* user : llvm::make_early_inc_range(f->users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      IRBuilder<> b(call);
      Value* value = lowered(b, *call);
      if (!value)
        refuse_unsupported(kernel,
                           fmt::format("{} is not supported on CUDA devices", f->getName().str()));
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
    f->eraseFromParent();
  }
}

}  // namespace hither::compiler
