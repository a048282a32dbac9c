// One kernel in the place of several small launches.
#pragma once

#include <span>

#include "target/kernel_module.h"

namespace hither::array {

/// A launch that becomes part of a joined kernel.
struct JoinedPart {
  const target::KernelModule* module;
  int dimensions;  ///< of its range
};

/// Whether a kernel can be such a part: one piece of code, whose items use nothing of their launch
/// but the global id and size.
bool can_be_joined(const target::KernelModule& module);

/// Runs the parts one after another. Parameters: for each part the sizes of its range, whose
/// product is below 2**31, then its own. `group`: the number of items of the only group, which
/// share the items of each part and wait for each other after it; 0: a single item runs them all.
target::KernelModule emit_joined(std::span<const JoinedPart> parts, int64_t group);

}  // namespace hither::array
