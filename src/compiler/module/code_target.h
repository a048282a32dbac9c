// What a code target provides: machine code for one kind of device.
#pragma once

#include <string>

#include "compiler/module/machine_code.h"

namespace hither::compiler {

/// What inspect() prints. For SPIR-V, kAssembly is the binary.
enum class Stage { kLinked, kLooped, kOptimised, kAssembly };

/// The folder of a target defines one constant of this type, which compile.cpp lists. `arch` is
/// target::Target's. All functions are thread-safe.
struct CodeTarget {
  target::TargetKind kind;
  /// Runs every stage. Throws Error kCompile or kUnsupported.
  MachineCode (*generate)(const target::KernelModule& source, const std::string& arch);
  /// The text of a stage.
  std::string (*inspect)(const target::KernelModule& source, const std::string& arch, Stage stage);
  /// Everything besides the kernel module and hither's sources on which the code depends: a part of
  /// the disk cache's key.
  std::string (*identity)(const std::string& arch);
  /// Makes an image that drivers can load.
  target::CodeImage (*load)(MachineCode code);
};

}  // namespace hither::compiler
