// Rewrites a kernel so that items which have returned still execute its convergent operations.
#pragma once

#include <llvm/IR/Function.h>

#include "compiler/module/return_plan.h"

namespace hither::compiler {

/// Changes `f` according to `plan`. The early exits of `f` are attached.
void rewrite_early_returns(llvm::Function& f, ReturnPlan& plan);

}  // namespace hither::compiler
