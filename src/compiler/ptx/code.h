// PTX text for CUDA devices.
#pragma once

#include "compiler/module/code_target.h"

namespace hither::compiler {

/// `arch` is "sm_90" and the like (ptx/machine.h). The code is PTX text without a terminating zero.
extern const CodeTarget kPtxTarget;

}  // namespace hither::compiler
