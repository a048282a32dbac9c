#include "compiler/ptx/code.h"

#include <algorithm>

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>

#include "compiler/device/atomics.h"
#include "compiler/device/code.h"
#include "compiler/device/memory.h"
#include "compiler/ptx/builtins.h"
#include "compiler/ptx/groups.h"
#include "compiler/ptx/halves.h"
#include "compiler/ptx/libdevice.h"
#include "compiler/ptx/loops.h"
#include "compiler/ptx/machine.h"
#include "compiler/ptx/math.h"
#include "compiler/ptx/memory.h"
#include "compiler/ptx/products.h"
#include "compiler/ptx/quotients.h"

namespace hither::compiler {
namespace {

constexpr const char* kDevices = "CUDA devices";
// Global memory: PTX's constant memory is small, and slow if items access different addresses.
constexpr unsigned kConstantSpace = 1;

DeviceKind kind_of(const std::string& arch, const PtxMachine& machine) {
  return {{target::TargetKind::kPtx, arch},
          kDevices,
          machine.triple(),
          machine.layout(),
          kConstantSpace,
          true};
}

DeviceEntry lower(DeviceCode& code, const PtxMachine& machine) {
  const std::string& name = code.source().entry;
  end_loops_at_zero(code.module());
  call_libdevice(code.module());
  code.inline_all();
  code.simplify();
  llvm::Module& module = code.module();
  const DeviceEntry entry = make_ptx_entry(module, code.source(), code.in_groups());
  llvm::Function& kernel = *entry.function;
  lower_ptx_group_functions(kernel, items_of_row_groups(code.source(), entry.dimensions));
  if (code.in_groups()) fold_local_size(kernel, code.source(), entry.dimensions);
  expand_atomics(kernel, name, Atomics::kIntegersAndSums);
  order_atomics_by_fences(kernel);
  code.refuse_types(kernel);
  shorten_math_of_halves(kernel);
  inline_table_math(module, name, code.diagnostics());
  move_constants(module, kConstantSpace);
  lower_ptx_math(module, name);
  prepare_memory(module, name);
  link_libdevice(module, name, code.diagnostics());
  machine.optimise(module);
  shorten_products(module);
  test_quotients_together(module);
  code.check_diagnostics();
  return entry;
}

MachineCode generate(const target::KernelModule& source, const std::string& arch) {
  const PtxMachine machine(arch);
  DeviceCode code(source, kind_of(arch, machine));
  code.link();
  const DeviceEntry entry = lower(code, machine);
  MachineCode machine_code{code.describe(entry), {}};
  machine_code.image.entry_name = entry.function->getName().str();
  if (code.in_groups()) std::ranges::copy(source.local_size, machine_code.image.local_size);
  const std::string text = machine.emit(code.module());
  code.check_diagnostics();
  machine_code.bytes.assign(text.begin(), text.end());
  return machine_code;
}

std::string inspect(const target::KernelModule& source, const std::string& arch, Stage stage) {
  const PtxMachine machine(arch);
  DeviceCode code(source, kind_of(arch, machine));
  code.link();
  if (stage == Stage::kLinked) return code.text();
  if (stage == Stage::kLooped) {
    code.inline_all();
    return code.text();
  }
  lower(code, machine);
  return stage == Stage::kOptimised ? code.text() : machine.emit(code.module());
}

std::string identity(const std::string& arch) {
  return fmt::format("PTX {}\nlibdevice {}\nLLVM {}", arch, libdevice_identity(),
                     LLVM_VERSION_STRING);
}

}  // namespace

const CodeTarget kPtxTarget = {
    target::TargetKind::kPtx, false, generate, inspect, identity, image_of_bytes};

}  // namespace hither::compiler
