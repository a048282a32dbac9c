// SPIR-V for SYCL and OpenCL devices.
#pragma once

#include "compiler/module/code_target.h"

namespace hither::compiler {

/// `arch` is a version of SPIR-V, 1.0 to 1.6; empty means 1.4. The last stage runs in another
/// process (emitter/spirv_emitter.h).
extern const CodeTarget kSpirvTarget;

}  // namespace hither::compiler
