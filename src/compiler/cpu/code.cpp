#include "compiler/cpu/code.h"

#include <algorithm>

#include <fmt/format.h>
#include <gnu/libc-version.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/cpu/emit_object.h"
#include "compiler/cpu/entry_loops.h"
#include "compiler/cpu/group_loops.h"
#include "compiler/cpu/host_symbols.h"
#include "compiler/cpu/machine.h"
#include "compiler/cpu/masked_loops.h"
#include "compiler/cpu/object_linker.h"
#include "compiler/cpu/optimise.h"
#include "compiler/cpu/work_item_loops.h"
#include "compiler/module/diagnostics.h"
#include "compiler/module/early_returns.h"
#include "compiler/module/group_kernel.h"
#include "compiler/module/intrinsics.h"
#include "compiler/module/link_device_library.h"
#include "compiler/module/link_module.h"
#include "compiler/module/math_functions.h"
#include "compiler/module/powers.h"
#include "compiler/module/verify.h"

namespace hither::compiler {
namespace {

/// The stages of one kernel.
class CpuCompilation {
 public:
  CpuCompilation(const target::KernelModule& source, const std::string& arch)
      : source_(source), machine_(cpu_machine(arch)) {
    open_host_libraries();
  }

  void link() {
    module_ = link_module(source_, diagnostics_, machine_.llvm().getTargetTriple().str(),
                          machine_.llvm().createDataLayout());
    round_each_operation(*module_);
    verify_linked(*module_, source_);
  }

  void inline_all() {
    // Debug scopes refer to functions that the loops replace. Lines reach the user through
    // hither.raise.
    llvm::StripDebugInfo(*module_);
    link_device_library(*module_, DeviceLibrary::kCpu, source_.entry, diagnostics_);
    normalise_math(*module_);
    annotate_intrinsics(*module_);
    inline_everything(*module_);
    shorten_powers(*module_);
    pass_print_buffer(*module_, source_);
    verify_private_memory(*module_, source_);
    in_groups_ = uses_groups(*module_, source_.signature);
    if (in_groups_) convert_early_returns(*module_, source_, local_size());
  }

  GroupKernel make_group() {
    GroupKernel group = make_group_kernel(*module_, source_, machine_.vector_bits() / 32);
    simplify_group(*group.function, machine_);
    return group;
  }

  void make_loops() {
    inline_all();
    if (in_groups_) {
      GroupKernel group = make_group();
      group.lanes = mask_divergent_loops(group, machine_);
      looped_ = group_loops(*module_, group, source_);
    } else {
      if (needs_simplifying(*module_)) simplify(*module_, machine_);
      looped_ = work_item_loops(*module_, source_, machine_);
    }
  }

  void optimise() {
    make_loops();
    compiler::optimise(*module_, machine_, /*straight_code=*/!looped_.gathers);
    std::string complaints = diagnostics_.take();
    if (!complaints.empty()) refuse(source_.entry, complaints);
  }

  target::CodeImage describe() const {
    target::CodeImage image;
    image.target.kind = target::TargetKind::kCpu;
    image.entry_name = source_.entry;
    image.signature = source_.signature;
    image.dimensions = looped_.dimensions;
    image.uses_groups = in_groups_;
    if (in_groups_) std::ranges::copy(source_.local_size, image.local_size);
    image.local_bytes = looped_.local_bytes;
    image.strip_items = looped_.strip_items;
    image.reports_errors = looped_.reports_errors;
    image.source_file = source_.source_file;
    image.messages = source_.messages;
    return image;
  }

  llvm::Module& module() noexcept { return *module_; }
  const CpuMachine& machine() const noexcept { return machine_; }

 private:
  LocalSize local_size() const {
    std::array<int64_t, 3> extents{};
    for (size_t d = 0; d < 3; ++d) extents[d] = std::max<int64_t>(source_.local_size[d], 1);
    return LocalSize(extents);
  }

  const target::KernelModule& source_;
  const CpuMachine& machine_;
  Diagnostics diagnostics_;  // holds the context, so it outlives the module
  std::unique_ptr<llvm::Module> module_;
  LoopedKernel looped_;
  bool in_groups_ = false;
};

std::string print(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

MachineCode compile_cpu(const target::KernelModule& source, const std::string& arch) {
  CpuCompilation compilation(source, arch);
  compilation.link();
  compilation.optimise();
  MachineCode code{compilation.describe(),
                   emit_object(compilation.module(), compilation.machine())};
  code.image.target.arch = arch;
  return code;
}

std::string inspect_cpu(const target::KernelModule& source, const std::string& arch, Stage stage) {
  CpuCompilation compilation(source, arch);
  compilation.link();
  if (stage == Stage::kLinked) return print(compilation.module());
  if (stage == Stage::kLooped) {
    compilation.make_loops();
    return print(compilation.module());
  }
  compilation.optimise();
  if (stage == Stage::kOptimised) return print(compilation.module());
  return emit_assembly(compilation.module(), compilation.machine());
}

std::string identity(const std::string& arch) {
  return fmt::format("{}\nLLVM {}\nC library {}", cpu_identity(arch), LLVM_VERSION_STRING,
                     gnu_get_libc_version());
}

/// Maps the code into this process.
target::CodeImage load(MachineCode code) {
  target::CodeImage image = std::move(code.image);
  LinkedObject linked = link_object(code.bytes, kCpuEntryName, image.entry_name);
  image.entry = linked.entry;
  image.owner = std::move(linked.owner);
  return image;
}

}  // namespace

const CodeTarget kCpuTarget = {
    target::TargetKind::kCpu, true, compile_cpu, inspect_cpu, identity, load};

void verify_for_cpu(const target::KernelModule& source) { CpuCompilation(source, "").link(); }

void refuse_divergent_barriers(const target::KernelModule& source) {
  constexpr int64_t kMostItems = 1024;  // with fewer items, conditions on ids could be constant
  target::KernelModule grouped = source;
  for (int d = 0; d < 3; ++d)
    grouped.local_size[d] = d < std::max(source.dimensions, 1) ? kMostItems : 1;
  CpuCompilation compilation(grouped, "");
  compilation.link();
  compilation.inline_all();
  compiler::refuse_divergent_operations(compilation.make_group(), source.source_file);
}

}  // namespace hither::compiler
