// Emits binary searches.
#pragma once

#include <vector>

#include <hither/index.h>

#include "array/emit/element.h"

namespace hither::array {

/// Searches in an array that is in the order of sort() and not empty. The interval that contains
/// the result is halved as often for every value, so that neighbouring items do not diverge.
class BinarySearch {
 public:
  /// `sorted` has `length` (i64) elements of dtype `t`.
  BinarySearch(llvm::IRBuilder<>& b, DType t, SearchSide side, llvm::Value* sorted,
               llvm::Value* length)
      : b_(b), t_(t), side_(side), sorted_(sorted), length_(length) {}

  /// The insertion index (i64) of each value, in [0, length]. The loads of all values overlap.
  std::vector<llvm::Value*> places(const std::vector<Element>& values) const;

 private:
  void step(const std::vector<Element>& wanted, llvm::Value* count,
            std::vector<llvm::Value*>& firsts) const;
  llvm::Value* is_before(const Element& x, const Element& wanted) const;

  llvm::IRBuilder<>& b_;
  const DType t_;
  const SearchSide side_;
  llvm::Value *const sorted_, *const length_;
};

}  // namespace hither::array
