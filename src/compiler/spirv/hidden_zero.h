// A zero that no compiler knows.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// A zero of the integer type `type`, computed at the start of `kernel`. It would be 1 if the
/// kernel ran over no items. It is the same for all items.
llvm::Value* hidden_zero(llvm::Function& kernel, llvm::Type* type);

}  // namespace hither::compiler
