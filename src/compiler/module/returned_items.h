// Rewrites a kernel so that items which have returned walk on.
#pragma once

#include <llvm/IR/Function.h>

#include "compiler/module/return_plan.h"

namespace hither::compiler {

/// Changes `f`, whose early exits are back in place, by `plan`.
void rewrite_early_returns(llvm::Function& f, ReturnPlan& plan);

}  // namespace hither::compiler
