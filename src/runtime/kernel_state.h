// A kernel loaded into a context.
#pragma once

#include <memory>
#include <string>

#include <hither/context.h>
#include <hither/kernel.h>

#include "target/code_image.h"

namespace hither::runtime {

/// Drivers derive from it what their launches need.
struct KernelState {
  virtual ~KernelState() = default;
  std::string name;
  std::shared_ptr<const target::CodeImage> image;
  std::shared_ptr<ContextState> context;
  size_t packed_bytes = 0;
  /// Has groups, local memory or local parameters: a launch has more to check.
  bool has_groups = false;
};

/// Makes `image` ready to launch on every queue of `context`. Error kDevice or kUnsupported when it
/// is not code for the context's devices.
Kernel load_kernel(const Context& context, std::shared_ptr<const target::CodeImage> image);

/// What to compile for, to launch on `device`; lives as long as that does.
const target::Target& target_of(const Device& device);

}  // namespace hither::runtime
