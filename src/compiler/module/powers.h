// Powers with constant exponents that are products, quotients and roots.
#pragma once

namespace llvm {
class Module;
}

namespace hither::compiler {

/// Replaces calls of pow with the exponents 2, 1, 0.5, 0, and -1 by exact operations, after
/// normalise_math() and inlining. The results are those of a pow that rounds correctly.
void shorten_powers(llvm::Module& module);

}  // namespace hither::compiler
