#include "compiler/module/verify.h"

#include <fmt/format.h>
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/module/address_space.h"
#include "compiler/module/allowed_calls.h"
#include "compiler/module/diagnostics.h"
#include "compiler/module/intrinsics.h"

namespace hither::compiler {
namespace {

using target::Parameter;

template <class T>
std::string text_of(const T& value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  value.print(stream);
  return llvm::StringRef(text).trim().str();
}

/// The type of a parameter in IR.
std::string spelling(Parameter p) {
  switch (p) {
    case Parameter::kPointer:
      return "ptr addrspace(1)";
    case Parameter::kInt8:
      return "i8";
    case Parameter::kInt16:
      return "i16";
    case Parameter::kInt32:
      return "i32";
    case Parameter::kInt64:
      return "i64";
    case Parameter::kFloat16:
      return "half";
    case Parameter::kFloat32:
      return "float";
    case Parameter::kFloat64:
      return "double";
    case Parameter::kComplex64:
      return "{ float, float }";
    case Parameter::kComplex128:
      return "{ double, double }";
    case Parameter::kLocalBytes:
      return "ptr addrspace(3)";
  }
  return {};
}

/// Named structures print as %name, but signatures use the literal form.
std::string spelling(const llvm::Type& type) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(&type)) {
    std::string text;
    for (const llvm::Type* element : structure->elements())
      text += (text.empty() ? "{ " : ", ") + text_of(*element);
    return text + " }";
  }
  return text_of(type);
}

void check_entry(const llvm::Function& entry, const target::KernelModule& source) {
  const llvm::FunctionType& type = *entry.getFunctionType();
  if (!type.getReturnType()->isVoidTy())
    refuse(source.entry, fmt::format("a kernel entry returns void, but this one returns {}",
                                     text_of(*type.getReturnType())));
  const auto& parameters = source.signature.parameters;
  if (type.isVarArg() || type.getNumParams() != parameters.size())
    refuse(source.entry, fmt::format("the entry has {} parameters, but its signature has {}",
                                     type.getNumParams(), parameters.size()));
  for (size_t i = 0; i < parameters.size(); ++i) {
    std::string found = spelling(*type.getParamType(i));
    if (found != spelling(parameters[i]))
      refuse(source.entry, fmt::format("parameter {} of the entry is {}, but its signature says {}",
                                       i, found, spelling(parameters[i])));
  }
}

class FunctionCheck {
 public:
  FunctionCheck(const llvm::Function& function, const target::KernelModule& source)
      : function_(function), source_(source) {}

  void run() {
    if (function_.hasPersonalityFn()) fail(nullptr, "kernels have no exceptions");
    // Unreachable blocks are dropped, so they are not checked.
    for (const llvm::BasicBlock* block : llvm::depth_first(&function_.getEntryBlock()))
      for (const llvm::Instruction& i : *block) check_instruction(i);
  }

 private:
  [[noreturn]] void fail(const llvm::Instruction* at, const std::string& rule) const {
    std::string place = function_.getName() == source_.entry
                            ? source_.entry
                            : fmt::format("{} in {}", function_.getName().str(), source_.entry);
    refuse(place, at ? fmt::format("{}: `{}`", rule, text_of(*at)) : rule);
  }

  void check_instruction(const llvm::Instruction& i) const {
    if (llvm::isa<llvm::UnreachableInst>(i))
      fail(&i,
           "kernels report errors with hither.raise and return; `unreachable` is not allowed "
           "where control can reach it");
    if (llvm::isa<llvm::InvokeInst, llvm::ResumeInst, llvm::LandingPadInst, llvm::CallBrInst,
                  llvm::IndirectBrInst, llvm::VAArgInst, llvm::CatchSwitchInst>(i))
      fail(&i, "kernels have no exceptions, indirect jumps or variable argument lists");
    check_type(i, i.getType());
    for (const llvm::Value* operand : i.operands()) check_type(i, operand->getType());
    if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&i)) check_alloca(*alloca);
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) check_call(*call);
  }

  void check_type(const llvm::Instruction& at, const llvm::Type* type) const {
    const llvm::Type* scalar = type->getScalarType();
    if (scalar->isX86_FP80Ty() || scalar->isFP128Ty() || scalar->isPPC_FP128Ty() ||
        scalar->isX86_MMXTy() || scalar->isX86_AMXTy() || scalar->isBFloatTy())
      fail(&at, "devices support float16, float32 and float64, but not " + text_of(*scalar));
    if (llvm::isa<llvm::ScalableVectorType>(type)) fail(&at, "scalable vectors are not supported");
    if (auto* pointer = llvm::dyn_cast<llvm::PointerType>(scalar))
      if (unsigned space = pointer->getAddressSpace(); space > 4 || space == 2)
        fail(&at,
             fmt::format(
                 "address space {} is not supported; 0 is generic, 1 global, 3 local, 4 constant",
                 space));
  }

  void check_alloca(const llvm::AllocaInst& alloca) const {
    if (!llvm::isa<llvm::ConstantInt>(alloca.getArraySize()))
      fail(&alloca, "a private array must have a constant size");
  }

  void check_call(const llvm::CallInst& call) const {
    if (call.isInlineAsm()) fail(&call, "inline assembly is not portable between devices");
    const llvm::Function* callee = call.getCalledFunction();
    if (!callee) fail(&call, "kernels call functions by name, not through pointers");
    if (!callee->isDeclaration()) return;
    if (is_misdeclared_intrinsic(*callee))
      fail(&call, fmt::format("{} is declared with another type", declaration_of(*callee)));
    if (std::string why = why_not_callable(*callee); !why.empty()) fail(&call, why);
  }

  const llvm::Function& function_;
  const target::KernelModule& source_;
};

void check_globals(const llvm::Module& module, const target::KernelModule& source) {
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.getName().starts_with("llvm.")) continue;
    std::string name = fmt::format("@{}", variable.getName().str());
    if (variable.isThreadLocal())
      refuse(source.entry, name + " is thread-local, which kernels do not support");
    if (variable.getAddressSpace() == kLocal) continue;
    if (!variable.hasInitializer())
      refuse(source.entry, name + " is not defined in the kernel module");
    if (!variable.isConstant())
      refuse(source.entry, name +
                               " is a writable global variable; kernels keep state in memory that "
                               "is passed as an argument");
  }
  if (!module.alias_empty() || !module.ifunc_empty())
    refuse(source.entry, "kernel modules have no aliases and no ifuncs");
  if (!module.getModuleInlineAsm().empty())
    refuse(source.entry, "inline assembly is not portable between devices");
}

}  // namespace

void verify_linked(const llvm::Module& module, const target::KernelModule& source) {
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  if (llvm::verifyModule(module, &stream))
    refuse(source.entry,
           "the kernel's LLVM IR is invalid: " + llvm::StringRef(messages).trim().str());
  check_entry(*module.getFunction(source.entry), source);
  check_globals(module, source);
  for (const llvm::Function& f : module) {
    if (f.hasAddressTaken())
      refuse(source.entry,
             fmt::format("the address of @{} is taken; kernels can only call functions by name",
                         f.getName().str()));
    if (!f.isDeclaration()) FunctionCheck(f, source).run();
  }
}

void verify_private_memory(const llvm::Module& module, const target::KernelModule& source) {
  constexpr uint64_t kMost = 512 * 1024;
  const llvm::DataLayout& layout = module.getDataLayout();
  uint64_t bytes = 0;
  for (const llvm::Instruction& i : llvm::instructions(*module.getFunction(source.entry)))
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
      bytes += variable->getAllocationSize(layout).value_or(llvm::TypeSize::getFixed(0));
  if (bytes > kMost)
    refuse(source.entry,
           fmt::format("a work-item needs {} bytes of private memory (private arrays, variables), "
                       "but at most {} are available; pass an array with a part for each work-item",
                       bytes, kMost));
}

}  // namespace hither::compiler
