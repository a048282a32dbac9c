// A guard against a wrong answer of LLVM 19's loop vectoriser.
#pragma once

#include <mutex>
#include <shared_mutex>

#include <llvm/IR/Module.h>

namespace hither::compiler {

/// While it lives, the vectoriser is safe for `module`. LLVM reads every third of 16 elements at
/// (3 * i) & 15 as if the index did not wrap: it takes the accesses for interleaved ones and checks
/// too little (found by random kernels; strides of 1 are checked rightly). Where a module masks or
/// narrows indices, interleaved accesses are off, which is a setting of the whole process: such
/// compiles wait for all others to end, and others for them.
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
