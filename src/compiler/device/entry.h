// The entry function of a device kernel: its parameters, and the intrinsics that depend on them.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/device/builtins.h"
#include "target/kernel_module.h"

namespace hither::compiler {

/// The properties of a device kernel's entry (see target/code_image.h).
struct DeviceEntry {
  llvm::Function* function = nullptr;
  int dimensions = 1;
  bool reports_errors = false;
  int64_t items_of_thread = 1;       ///< items that one thread runs; a group's size apart
  bool several_if_many = false;      ///< launches may have a thread for each item instead
  llvm::Argument* record = nullptr;  ///< address of the ErrorRecord; null without reports
};

/// Describes the entry of `module`, which the front end wrote.
DeviceEntry describe_entry(llvm::Module& module, const target::KernelModule& source,
                           bool in_groups);

/// Makes the value of the old argument from the new one.
using Unpack = llvm::function_ref<llvm::Value*(llvm::IRBuilder<>&, llvm::Argument& passed,
                                               llvm::Argument& old)>;
/// Moves the entry's body to a function with the parameters `types` and replaces the entry by it.
/// Additional parameters come last.
void replace_parameters(DeviceEntry& entry, llvm::ArrayRef<llvm::Type*> types, Unpack unpack);

/// Replaces index queries, barriers and hither.raise by the device's builtins. Group functions
/// remain. With `in_groups`, an item that raises returns, and its group stops at the next
/// convergent operation.
void replace_intrinsics(DeviceEntry& entry, DeviceBuiltins& builtins, bool in_groups);

}  // namespace hither::compiler
