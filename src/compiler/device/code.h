// The way of a kernel module that all devices share, up to the last words that are their own.
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

/// What the shared stages must know of a kind of devices.
struct DeviceKind {
  target::Target target;
  const char* devices;  ///< in error messages: "devices that take SPIR-V"
  std::string triple;
  std::string layout;
  unsigned constant_space;  ///< where constant data goes
};

/// One kernel on its way. The functions are called in the order in which they stand.
class DeviceCode {
 public:
  DeviceCode(const target::KernelModule& source, DeviceKind kind)
      : source_(source), kind_(std::move(kind)) {}

  void link();
  /// Links the device library and leaves one function.
  void inline_all();
  /// Vectors become scalars, then variables registers, and pointers remember where they came from.
  void simplify();
  /// Refuses types that the devices have not.
  void refuse_types(const llvm::Function& kernel) const;
  /// Throws what LLVM complained about on the way.
  void check_diagnostics();

  std::string text() const;
  /// Without the code.
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

/// Runs passes that need no machine on every function.
void run_on_functions(llvm::Module& module,
                      llvm::function_ref<void(llvm::FunctionPassManager&)> add);

}  // namespace hither::compiler
