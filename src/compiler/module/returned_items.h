// Rewrites a kernel so that items which have returned walk on.
#pragma once

#include <llvm/IR/Function.h>

#include "compiler/module/return_plan.h"

namespace hither::compiler {

/// Changes `f`, whose early exits are back in place, by `plan`.
void write_walk(llvm::Function& f, WalkPlan& plan);

}  // namespace hither::compiler
