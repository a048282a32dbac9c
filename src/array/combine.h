// What a reduction does with two elements.
#pragma once

#include <hither/reduce.h>

#include "array/emit_element.h"

namespace hither::array {

/// The running result of one lane (or a vector of them); the index only of argmin and argmax, i64
/// or what the caller counts.
struct Running {
  Element value;
  llvm::Value* index = nullptr;
};

/// The operation of one reduction (any but mean, var and std), accumulating in `dtype`.
class Combiner {
 public:
  Combiner(Reduction r, DType dtype) : r_(r), dtype_(dtype) {}

  bool with_index() const noexcept { return r_ == Reduction::kArgMin || r_ == Reduction::kArgMax; }
  Reduction reduction() const noexcept { return r_; }
  DType dtype() const noexcept { return dtype_; }

  /// An operand as it is accumulated.
  Element prepare(ElementEmitter& e, const Element& x, DType from) const;
  /// What changes nothing; its index is `index`.
  Running identity(ElementEmitter& e, llvm::Value* index) const;
  /// `b` comes after `a`: of equal elements a's index stays.
  Running in_order(llvm::IRBuilder<>& b, ElementEmitter& e, const Running& x,
                   const Running& y) const;
  /// Of equal elements the lower index stays.
  Running any_order(llvm::IRBuilder<>& b, ElementEmitter& e, const Running& x,
                    const Running& y) const;
  /// Combines lanes l, l + keep, l + 2 keep, ... until `keep` are left, by halves; lanes are keep
  /// times a power of two. The result is a vector of `keep` lanes, or a scalar.
  Running fold(llvm::IRBuilder<>& b, const Running& x, int lanes, int keep) const;

 private:
  llvm::Value* better(llvm::IRBuilder<>& b, const Element& x, const Element& y) const;
  Element identity_value(ElementEmitter& e) const;

  Reduction r_;
  DType dtype_;
};

}  // namespace hither::array
