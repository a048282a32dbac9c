// The list of code targets, and the entry points of the compiler.
#include <hither/error.h>

#include "compiler/code_targets.h"
#include "compiler/compiler.h"
#include "compiler/cpu/code.h"
#include "compiler/module/llvm_guard.h"
#include "compiler/ptx/code.h"
#include "compiler/spirv/code.h"
#include "counting/counter.h"

namespace hither::compiler {
namespace {

/// A new code target adds one line here.
constexpr const CodeTarget* kTargets[] = {
    &kCpuTarget,
    &kPtxTarget,
    &kSpirvTarget,
};

}  // namespace

const CodeTarget& code_target(target::TargetKind kind) {
  for (const CodeTarget* listed : kTargets)
    if (listed->kind == kind) return *listed;
  throw Error(ErrorKind::kInternal, "compiler", "the code target is not listed in compile.cpp");
}

MachineCode generate_code(const target::KernelModule& source, const target::Target& target) {
  MachineCode code = code_target(target.kind).generate(source, target.arch);
  counting::count(counting::Counter::kCompiles);
  // For CPUs, generate() has already made this check.
  if (code.image.uses_groups && target.kind != target::TargetKind::kCpu)
    refuse_divergent_barriers(source);
  return code;
}

target::CodeImage load_code(MachineCode code) {
  const CodeTarget& target = code_target(code.image.target.kind);
  return target.load(std::move(code));
}

target::CodeImage compile(const target::KernelModule& module, const target::Target& target) {
  return with_llvm([&] { return load_code(generate_code(module, target)); });
}

void verify(const target::KernelModule& module) {
  with_llvm([&] { verify_for_cpu(module); });
}

std::string inspect(const target::KernelModule& module, const target::Target& target, Stage stage) {
  return with_llvm([&] { return code_target(target.kind).inspect(module, target.arch, stage); });
}

}  // namespace hither::compiler
