// Constants that no compiler knows.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>

namespace hither::compiler {

/// Computes constants at the start of a kernel, the same for all items. They would have other bits
/// if the kernel ran over no items.
class HiddenConstants {
 public:
  explicit HiddenConstants(llvm::Function& kernel) : kernel_(kernel) {}
  /// The value of an integer or floating-point constant.
  llvm::Value* get(llvm::Constant* constant);

 private:
  llvm::Function& kernel_;
  llvm::SmallDenseMap<llvm::Constant*, llvm::Value*, 4> known_;
};

}  // namespace hither::compiler
