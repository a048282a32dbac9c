// The state of a Kernel, which is loaded into a context.
#pragma once

#include <memory>
#include <string>

#include <hither/context.h>
#include <hither/kernel.h>

#include "target/code_image.h"

namespace hither::runtime {

/// Drivers derive their kernels from it.
struct KernelState {
  virtual ~KernelState() = default;
  std::string name;
  std::shared_ptr<const target::CodeImage> image;
  std::shared_ptr<ContextState> context;
  size_t packed_bytes = 0;
  /// Whether the kernel has groups, local memory or local parameters, which launches have to check.
  bool has_groups = false;
};

/// Makes `image` ready to launch on every queue of `context`. Error kDevice; kUnsupported if it is
/// not code for the context's devices.
Kernel load_kernel(const Context& context, std::shared_ptr<const target::CodeImage> image);

/// The compilation target of `device`; lives as long as the device.
const target::Target& target_of(const Device& device);

}  // namespace hither::runtime
