#include "compiler/module/math_functions.h"

#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace hither::compiler {
namespace {

using llvm::Intrinsic::not_intrinsic;
namespace id = llvm::Intrinsic;

constexpr MathFunction kTable[] = {
    {"sin", 1, id::sin},
    {"cos", 1, id::cos},
    {"tan", 1, id::tan},
    {"asin", 1, id::asin},
    {"acos", 1, id::acos},
    {"atan", 1, id::atan},
    {"sinh", 1, id::sinh},
    {"cosh", 1, id::cosh},
    {"tanh", 1, id::tanh},
    {"exp", 1, id::exp},
    {"exp2", 1, id::exp2},
    {"exp10", 1, id::exp10},
    {"log", 1, id::log},
    {"log2", 1, id::log2},
    {"log10", 1, id::log10},
    {"pow", 2, id::pow},
    {"asinh", 1, not_intrinsic},
    {"acosh", 1, not_intrinsic},
    {"atanh", 1, not_intrinsic},
    {"expm1", 1, not_intrinsic},
    {"log1p", 1, not_intrinsic},
    {"cbrt", 1, not_intrinsic},
    {"erf", 1, not_intrinsic},
    {"erfc", 1, not_intrinsic},
    {"atan2", 2, not_intrinsic},
    {"hypot", 2, not_intrinsic},
    {"tgamma", 1, not_intrinsic},
    {"lgamma", 1, not_intrinsic},
    {"fmod", 2, not_intrinsic},
    {"remainder", 2, not_intrinsic},
    {"nextafter", 2, not_intrinsic},
};

/// Functions whose results are exact: every machine and every vector width gives the same bits.
struct ExactFunction {
  const char* name;
  id::ID intrinsic;
};
constexpr ExactFunction kExact[] = {
    {"sqrt", id::sqrt},   {"floor", id::floor},         {"ceil", id::ceil},
    {"trunc", id::trunc}, {"rint", id::rint},           {"nearbyint", id::nearbyint},
    {"round", id::round}, {"roundeven", id::roundeven}, {"fabs", id::fabs},
    {"fma", id::fma},     {"copysign", id::copysign},   {"fmin", id::minnum},
    {"fmax", id::maxnum},
};

constexpr std::string_view kPrefix = "hither.math.";

const MathFunction* named(std::string_view name) {
  static const auto* const by_name = [] {
    auto* map = new std::unordered_map<std::string_view, const MathFunction*>;
    for (const MathFunction& f : kTable) map->emplace(f.name, &f);
    return map;
  }();
  auto it = by_name->find(name);
  return it == by_name->end() ? nullptr : it->second;
}

const MathFunction* with_intrinsic(id::ID intrinsic) {
  for (const MathFunction& f : kTable)
    if (f.intrinsic == intrinsic) return &f;
  return nullptr;
}

char letter_of(const llvm::Type* type) {
  if (type->isHalfTy()) return 'h';
  if (type->isFloatTy()) return 's';
  return type->isDoubleTy() ? 'd' : 0;
}

llvm::Type* type_of(const MathCall& call, llvm::LLVMContext& context) {
  llvm::Type* scalar = call.type == 'h'   ? llvm::Type::getHalfTy(context)
                       : call.type == 's' ? llvm::Type::getFloatTy(context)
                                          : llvm::Type::getDoubleTy(context);
  return call.lanes == 0 ? scalar : llvm::FixedVectorType::get(scalar, call.lanes);
}

std::string name_of(const MathCall& call) {
  int bits = call.type == 'h' ? 16 : call.type == 's' ? 32 : 64;
  std::string lanes = call.lanes == 0 ? "" : fmt::format("v{}", call.lanes);
  return fmt::format("{}{}.{}f{}", kPrefix, call.function->name, lanes, bits);
}

/// Numba's names such as `numba_gamma` stand for functions of libm.
std::string libm_name(llvm::StringRef name) {
  if (!name.consume_front("numba_")) return name.str();
  if (name == "gamma" || name == "lgamma") return name == "gamma" ? "tgamma" : "lgamma";
  if (name == "gammaf" || name == "lgammaf") return name == "gammaf" ? "tgammaf" : "lgammaf";
  return name.str();
}

/// libm's name without the suffix f of the float variant, if the type fits.
std::string double_name(const llvm::Function& f) {
  std::string name = libm_name(f.getName());
  char type = letter_of(f.getReturnType());
  if (type == 'd') return name;
  if (type != 's' || name.empty() || name.back() != 'f') return {};
  name.pop_back();
  return name;
}

bool takes_its_own_type(const llvm::Function& f, size_t arity) {
  const llvm::FunctionType* type = f.getFunctionType();
  if (type->isVarArg() || type->getNumParams() != arity) return false;
  for (const llvm::Type* p : type->params())
    if (p != type->getReturnType()) return false;
  return true;
}

const ExactFunction* exact_function(const llvm::Function& f) {
  std::string name = double_name(f);
  for (const ExactFunction& e : kExact) {
    if (name != e.name) continue;
    size_t arity =
        e.intrinsic == id::fma                                                                  ? 3
        : e.intrinsic == id::copysign || e.intrinsic == id::minnum || e.intrinsic == id::maxnum ? 2
                                                                                                : 1;
    return takes_its_own_type(f, arity) ? &e : nullptr;
  }
  return nullptr;
}

/// powi has no defined order of multiplications. pow gives one result.
void replace_powi(llvm::Function& powi) {
  llvm::Module& module = *powi.getParent();
  llvm::Type* type = powi.getReturnType();
  llvm::Function* pow = llvm::Intrinsic::getDeclaration(&module, id::pow, {type});
  for (llvm::User* user : llvm::make_early_inc_range(powi.users())) {
    auto* old = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> b(old);
    llvm::Value* exponent = b.CreateSIToFP(old->getArgOperand(1), type->getScalarType());
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      exponent = b.CreateVectorSplat(vector->getElementCount(), exponent);
    old->replaceAllUsesWith(b.CreateCall(pow, {old->getArgOperand(0), exponent}));
    old->eraseFromParent();
  }
}

}  // namespace

std::span<const MathFunction> math_functions() noexcept { return kTable; }

std::optional<MathCall> math_call(const llvm::Function& f) {
  if (!f.isDeclaration()) return std::nullopt;
  const llvm::Type* result = f.getReturnType();
  char type = letter_of(result->getScalarType());
  if (type == 0 || llvm::isa<llvm::ScalableVectorType>(result)) return std::nullopt;
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(result);
  int lanes = vector ? static_cast<int>(vector->getNumElements()) : 0;
  const MathFunction* found = nullptr;
  llvm::StringRef name = f.getName();
  if (f.isIntrinsic())
    found = with_intrinsic(f.getIntrinsicID());
  else if (name.consume_front(kPrefix))
    found = named(name.split('.').first);
  else if (lanes == 0)
    found = named(double_name(f));
  if (!found || !takes_its_own_type(f, found->arity)) return std::nullopt;
  MathCall call{found, type, lanes};
  if (f.getName().starts_with(kPrefix) && f.getName() != name_of(call)) return std::nullopt;
  return call;
}

llvm::Function* declare_math(llvm::Module& module, const MathCall& call) {
  llvm::Type* type = type_of(call, module.getContext());
  llvm::SmallVector<llvm::Type*, 2> parameters(call.function->arity, type);
  auto* f = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(name_of(call), llvm::FunctionType::get(type, parameters, false))
          .getCallee());
  f->setDoesNotThrow();
  f->setDoesNotAccessMemory();
  f->setWillReturn();
  f->setNoSync();
  f->addFnAttr(llvm::Attribute::NoCallback);
  f->addFnAttr(llvm::Attribute::NoFree);
  f->setSpeculatable();
  return f;
}

void call_through(llvm::Function& f, const MathCall& call, char wider) {
  llvm::Function* callee = declare_math(*f.getParent(), {call.function, wider, call.lanes});
  for (llvm::User* user : llvm::make_early_inc_range(f.users())) {
    auto* old = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> b(old);
    llvm::SmallVector<llvm::Value*, 2> arguments;
    for (llvm::Value* a : old->args())
      arguments.push_back(b.CreateFPExt(a, callee->getReturnType()));
    old->replaceAllUsesWith(b.CreateFPTrunc(b.CreateCall(callee, arguments), old->getType()));
    old->eraseFromParent();
  }
}

bool is_known_libm_name(const llvm::Function& f) { return exact_function(f) != nullptr; }

void rename_libm_calls(llvm::Module& module) {
  constexpr std::pair<const char*, const char*> kNames[] = {{"frexp", "hither_frexp_f64"},
                                                            {"frexpf", "hither_frexp_f32"},
                                                            {"modf", "hither_modf_f64"},
                                                            {"modff", "hither_modf_f32"}};
  for (const auto& [libm_function, replacement] : kNames)
    for (const std::string& name :
         {std::string(libm_function), fmt::format("numba_{}", libm_function)}) {
      llvm::Function* f = module.getFunction(name);
      if (!f || !f->isDeclaration()) continue;
      f->replaceAllUsesWith(
          module.getOrInsertFunction(replacement, f->getFunctionType()).getCallee());
      f->eraseFromParent();
    }
}

void normalise_math(llvm::Module& module) {
  for (llvm::Function& f : llvm::make_early_inc_range(module))
    if (f.getIntrinsicID() == id::powi) {
      replace_powi(f);
      f.eraseFromParent();
    }
  for (llvm::Function& f : llvm::make_early_inc_range(module)) {
    if (!f.isDeclaration()) continue;
    if (const ExactFunction* exact = exact_function(f)) {
      f.replaceAllUsesWith(
          llvm::Intrinsic::getDeclaration(&module, exact->intrinsic, {f.getReturnType()}));
      f.eraseFromParent();
      continue;
    }
    auto call = math_call(f);
    if (!call) {
      if (f.getName().starts_with("numba_")) f.setName(libm_name(f.getName()));
      continue;
    }
    if (call->type == 'h') {
      call_through(f, *call, 's');
    } else {
      llvm::Function* normalised = declare_math(module, *call);
      if (normalised == &f) continue;
      f.replaceAllUsesWith(normalised);
    }
    f.eraseFromParent();
  }
}

}  // namespace hither::compiler
