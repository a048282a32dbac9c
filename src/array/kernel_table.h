// Kernels of the array library by key: the last step before the compiler's caches.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <hither/queue.h>

#include "target/kernel_module.h"

namespace hither::array {

/// A kernel ready for submission, and how it came to be. Refers to the table, which keeps what it
/// handed out for the launch that follows.
struct ReadyKernel {
  const Kernel& kernel;
  const std::string& name;    ///< for history and explain()
  const std::string& device;  ///< filter string
  const char* source;         ///< of this look-up: "memory", "disk" or "compiled"
  double compile_seconds;
};

/// The kernel for `key` in the context of `queue`; `make` builds its module when neither memory
/// nor disk has it, `describe` its name. Thread-safe; one compile per key. Throws Error kCompile.
ReadyKernel find_kernel(const Queue& queue, std::string_view key,
                        const std::function<target::KernelModule()>& make,
                        const std::function<std::string()>& describe);

}  // namespace hither::array
