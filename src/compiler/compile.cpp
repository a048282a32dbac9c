// The entry points of the compiler.
#include <hither/error.h>

#include "compiler/code_targets.h"
#include "compiler/compiler.h"
#include "compiler/cpu/code.h"
#include "compiler/module/llvm_guard.h"
#include "counting/counter.h"

namespace hither::compiler {

#define HITHER_TARGET(constant, folder, code_target) extern const CodeTarget code_target;
#include "target/target_table.def"
#undef HITHER_TARGET

namespace {

#define HITHER_TARGET(constant, folder, code_target) &(code_target),
constexpr const CodeTarget* kTargets[] = {
#include "target/target_table.def"
};
#undef HITHER_TARGET

}  // namespace

const CodeTarget& code_target(target::TargetKind kind) {
  for (const CodeTarget* listed : kTargets)
    if (listed->kind == kind) return *listed;
  throw Error(ErrorKind::kInternal, "compiler",
              "the code target is not listed in target_table.def");
}

MachineCode generate_code(const target::KernelModule& source, const target::Target& target) {
  const CodeTarget& code_target = compiler::code_target(target.kind);
  MachineCode code = code_target.generate(source, target.arch);
  counting::count(counting::Counter::kCompiles);
  if (code.image.uses_groups && !code_target.checks_barriers) refuse_divergent_barriers(source);
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
