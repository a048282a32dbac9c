#include "compiler/module/kernel_library.h"

#include <algorithm>

#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "compiler/module/diagnostics.h"
#include "compiler/module/fork_guard.h"
#include "compiler/module/group_kernel.h"
#include "compiler/module/intrinsics.h"
#include "compiler/module/llvm_guard.h"

namespace hither::compiler {
namespace {

using target::Parameter;

constexpr llvm::StringRef kSection = "hither.kernel";

struct NumberType {
  const char* ir;
  Parameter parameter;
};
constexpr NumberType kNumberTypes[] = {
    {"i1", Parameter::kInt8},       {"i8", Parameter::kInt8},       {"i16", Parameter::kInt16},
    {"i32", Parameter::kInt32},     {"i64", Parameter::kInt64},     {"half", Parameter::kFloat16},
    {"float", Parameter::kFloat32}, {"double", Parameter::kFloat64}};

std::unique_ptr<llvm::Module> parse(std::string_view code, const std::string& where,
                                    Diagnostics& diagnostics) {
  llvm::SMDiagnostic diagnostic;
  const std::string copy(code);  // the parser requires a terminating zero
  auto module =
      llvm::parseIR(llvm::MemoryBufferRef(copy, where), diagnostic, diagnostics.context());
  if (!module)
    refuse(where, fmt::format("is not LLVM IR that LLVM {} can read ({}); compile it with "
                              "clang++ -emit-llvm of that version or an older one",
                              LLVM_VERSION_MAJOR, diagnostic.getMessage().str()));
  std::string wrong;
  llvm::raw_string_ostream stream(wrong);
  if (llvm::verifyModule(*module, &stream)) refuse(where, "contains invalid code: " + wrong);
  return module;
}

/// Drops all attributes of the machine that the code was compiled for.
void drop_machine_attributes(llvm::Module& module) {
  llvm::StripDebugInfo(module);
  for (const char* name : {"llvm.module.flags", "llvm.ident", "llvm.linker.options"})
    if (llvm::NamedMDNode* node = module.getNamedMetadata(name)) node->eraseFromParent();
  for (llvm::Function& f : module) {
    llvm::AttrBuilder kept(module.getContext());
    for (llvm::Attribute a : f.getAttributes().getFnAttrs())
      if (!a.isStringAttribute()) kept.addAttribute(a);
    f.setAttributes(f.getAttributes().removeFnAttributes(module.getContext()));
    f.addFnAttrs(kept);
  }
}

LibraryParameter parameter_of(const llvm::Argument& argument, const std::string& kernel) {
  std::string type;
  llvm::raw_string_ostream(type) << *argument.getType();
  const std::string place = fmt::format("parameter {} of the kernel", argument.getArgNo());
  if (argument.hasPassPointeeByValueCopyAttr() || argument.hasStructRetAttr())
    refuse(kernel, place + " is a structure; pass its members, or a pointer to it");
  const bool written = !argument.onlyReadsMemory();
  if (type == "ptr") return {Parameter::kPointer, type, written};
  if (type == "ptr addrspace(3)") return {Parameter::kLocalBytes, type, written};
  for (const NumberType& t : kNumberTypes)
    if (type == t.ir) return {t.parameter, type, false};
  refuse(kernel, fmt::format("{} is {}; kernels take pointers, integers of up to 64 bits, bool, "
                             "_Float16, float and double",
                             place, type));
}

/// Whether `kernel`, without the other kernels of the library, is launched in groups: it has
/// convergent operations or local memory, or queries local or group ids.
bool has_groups(const llvm::Module& library, const LibraryKernel& kernel) {
  auto alone = llvm::CloneModule(library);
  llvm::internalizeModule(*alone,
                          [&](const llvm::GlobalValue& v) { return v.getName() == kernel.body; });
  llvm::ModuleAnalysisManager none;
  llvm::GlobalDCEPass().run(*alone, none);
  target::Signature signature;
  for (const LibraryParameter& p : kernel.parameters) signature.parameters.push_back(p.kind);
  return uses_groups(*alone, signature) ||
         std::any_of(alone->begin(), alone->end(), [](const llvm::Function& f) {
           const auto intrinsic = intrinsic_of(f);
           return intrinsic && Intrinsic::kLocalId <= *intrinsic &&
                  *intrinsic <= Intrinsic::kNumGroups;
         });
}

bool is_identifier(llvm::StringRef name) {
  return llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

KernelLibrary read(std::string_view code, const std::string& where) {
  Diagnostics diagnostics;
  auto module = parse(code, where, diagnostics);
  drop_machine_attributes(*module);
  KernelLibrary library;
  for (llvm::Function& f : *module) {
    if (f.getSection() != kSection) continue;
    if (!is_identifier(f.getName()))
      refuse(where, "has a kernel whose name is not an identifier; it is damaged");
    LibraryKernel kernel{.name = f.getName().str(), .body = f.getName().str() + ".body"};
    if (!f.getReturnType()->isVoidTy()) refuse(kernel.name, "a kernel returns void");
    for (const llvm::Argument& a : f.args())
      kernel.parameters.push_back(parameter_of(a, kernel.name));
    f.setSection("");
    f.setName(kernel.body);
    library.kernels.push_back(std::move(kernel));
  }
  if (library.kernels.empty())
    refuse(where, "has no kernels; write HITHER_KERNEL before void, from <hither/device.h>");
  for (LibraryKernel& kernel : library.kernels) kernel.has_groups = has_groups(*module, kernel);
  llvm::raw_string_ostream stream(library.code);
  llvm::WriteBitcodeToFile(*module, stream);
  return library;
}

}  // namespace

KernelLibrary read_library(std::string_view code, const std::string& where) {
  // LLVM's reader trusts its input, so damaged bitcode may end the process.
  if (!survives([&] { read(code, where); }))
    refuse(where, "is damaged: LLVM cannot read it; compile it again");
  begin_llvm();
  try {
    return read(code, where);
  } catch (const std::bad_alloc&) {
    refuse(where, "is damaged: reading it needs more memory than is available; compile it again");
  }
}

}  // namespace hither::compiler
