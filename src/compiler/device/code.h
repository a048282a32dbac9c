// The compilation stages that all devices except CPUs share.
#pragma once

#include <memory>
#include <string>

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

#include "compiler/device/entry.h"
#include "compiler/module/diagnostics.h"
#include "target/code_image.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// The properties of a kind of device that the shared stages need.
struct DeviceKind {
  target::Target target;
  const char* devices;  ///< in error messages: "SPIR-V devices"
  std::string triple;
  std::string layout;
  unsigned constant_space;  ///< address space of constant data
  bool contracts;           ///< whether a product and a sum may become a fused multiply-add
};

/// The stages of one kernel. Must be called in the order of their declaration.
class DeviceCode {
 public:
  DeviceCode(const target::KernelModule& source, DeviceKind kind)
      : source_(source), kind_(std::move(kind)) {}

  void link();
  /// Links the device library and inlines all functions.
  void inline_all();
  /// Turns vectors into scalars and variables into registers, and infers address spaces.
  void simplify();
  /// Throws Error kUnsupported for types that the devices lack.
  void refuse_types(const llvm::Function& kernel) const;
  /// Throws Error kCompile if LLVM has reported errors.
  void check_diagnostics();

  std::string text() const;
  /// The code image without bytes.
  target::CodeImage describe(const DeviceEntry& entry) const;

  llvm::Module& module() noexcept { return *module_; }
  const target::KernelModule& source() const noexcept { return source_; }
  Diagnostics& diagnostics() noexcept { return diagnostics_; }
  bool in_groups() const noexcept { return in_groups_; }

 private:
  void refuse_functions() const;
  int64_t local_bytes() const;

  const target::KernelModule& source_;
  const DeviceKind kind_;
  Diagnostics diagnostics_;  // holds the context, so it outlives the module
  std::unique_ptr<llvm::Module> module_;
  bool in_groups_ = false;
};

/// Runs passes that need no target machine on every function.
void run_on_functions(llvm::Module& module,
                      llvm::function_ref<void(llvm::FunctionPassManager&)> add);

}  // namespace hither::compiler
