// Interface of a code target, which makes machine code for one kind of device.
#pragma once

#include <string>

#include "compiler/module/machine_code.h"

namespace hither::compiler {

/// The stages that inspect() prints. For SPIR-V, kAssembly is the binary.
enum class Stage { kLinked, kLooped, kOptimised, kAssembly };

/// Each target's folder defines one constant of this type, and target/target_table.def lists it.
/// `arch` is the one of target::Target. All functions are thread-safe.
struct CodeTarget {
  target::TargetKind kind;
  /// Whether generate() refuses divergent barriers itself.
  bool checks_barriers;
  /// Runs every stage. Throws Error kCompile or kUnsupported.
  MachineCode (*generate)(const target::KernelModule& source, const std::string& arch);
  /// The text of a stage.
  std::string (*inspect)(const target::KernelModule& source, const std::string& arch, Stage stage);
  /// All that the code depends on besides the kernel module and hither's sources. It is a part of
  /// the disk cache's key.
  std::string (*identity)(const std::string& arch);
  /// Makes an image that drivers can load.
  target::CodeImage (*load)(MachineCode code);
};

}  // namespace hither::compiler
