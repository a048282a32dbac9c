// Atomic loads and stores as operations that the SPIR-V emitter keeps.
#pragma once

#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Replaces atomic loads by x | 0, of integers, and atomic stores by exchanges. LLVM's SPIR-V back
/// end writes atomic loads and stores as plain ones, which a device's compiler may move out of a
/// loop that waits for another work-item.
void replace_atomic_accesses(llvm::Function& f);

}  // namespace hither::compiler
