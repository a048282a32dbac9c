// The array library's kernels by key. A miss goes to the compiler's caches.
#pragma once

#include <string>
#include <string_view>

#include <hither/queue.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include "target/kernel_module.h"

namespace hither::array {

/// A loaded kernel and its origin. The references stay valid for the launch that follows the
/// look-up.
struct ReadyKernel {
  const Kernel& kernel;
  const std::string& name;    ///< for the kernel history and explain()
  const std::string& device;  ///< filter string
  const char* source;         ///< result of this look-up: "memory", "disk" or "compiled"
  double compile_seconds;
};

/// The kernel for `key` in the context of `queue`. `make` builds its module when neither memory nor
/// disk has it, and `describe` gives its name. Thread-safe; a key is compiled once. Throws Error
/// kCompile.
ReadyKernel find_kernel(const Queue& queue, std::string_view key,
                        llvm::function_ref<target::KernelModule()> make,
                        llvm::function_ref<std::string()> describe);

}  // namespace hither::array
