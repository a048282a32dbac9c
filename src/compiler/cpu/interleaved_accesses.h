// Guard against a miscompilation by LLVM 19's loop vectoriser.
#pragma once

#include <mutex>
#include <shared_mutex>

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// While it exists, the vectoriser is safe for `module`. LLVM vectorises the access to every third
/// of 16 elements at (3 * i) & 15 as if the index did not wrap around: it takes it for an
/// interleaved access and checks too little (found by random kernels; strides of 1 are checked
/// correctly). If a module masks or truncates indices, interleaved accesses are switched off. This
/// is a setting of the whole process, so such compilations do not run concurrently with others.
class InterleavedAccesses {
 public:
  explicit InterleavedAccesses(const llvm::Module& module);
  ~InterleavedAccesses();
  InterleavedAccesses(const InterleavedAccesses&) = delete;
  InterleavedAccesses& operator=(const InterleavedAccesses&) = delete;

 private:
  std::shared_lock<std::shared_mutex> shared_;
  std::unique_lock<std::shared_mutex> alone_;
};

}  // namespace hither::compiler
