// The entry of a kernel that a device starts: its parameters, and where items find their place.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/device/builtins.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// What such kernels add to a signature (target/code_image.h tells drivers).
struct DeviceEntry {
  llvm::Function* function = nullptr;
  int dimensions = 1;
  bool reports_errors = false;
  int64_t items_of_thread = 1;       ///< that follow one another at the distance of a group
  llvm::Argument* record = nullptr;  ///< address of the ErrorRecord; null without reports
};

/// What `module` asks of its entry, the function being the one that the front end wrote.
DeviceEntry describe_entry(llvm::Module& module, const target::KernelModule& source,
                           bool in_groups);

/// The value of the old argument, made of the new one.
using Unpack = llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&, llvm::Argument& passed,
                                               llvm::Argument& old)>;
/// Gives the entry's body to a function of `types` in its place; those that are more than it had
/// come last.
void replace_parameters(DeviceEntry& entry, llvm::ArrayRef<llvm::Type*> types, Unpack unpack);

/// The words that query for a place, wait, and raise become the device's; group functions stay.
/// `in_groups`: items that raise go no further, and their group stops where it meets next.
void replace_intrinsics(DeviceEntry& entry, DeviceBuiltins& builtins, bool in_groups);

}  // namespace hither::compiler
