// What a reduction does with two elements.
#pragma once

#include "array/emit/element.h"
#include "array/form/reduction.h"

namespace hither::array {

/// The running result of one lane (or a vector of them); the index only of argmin and argmax, i64
/// or what the caller counts.
struct Running {
  Element value;
  llvm::Value* index = nullptr;
};

/// Emits the operation of one reduction.
class Combiner {
 public:
  Combiner(const Accumulation& a) : r_(a.reduction), dtype_(a.dtype) {}  // NOLINT(*explicit*)

  bool with_index() const noexcept { return Accumulation{r_, dtype_}.with_index(); }
  DType dtype() const noexcept { return dtype_; }

  /// An operand as it is accumulated.
  Element prepare(ElementEmitter& e, const Element& x, DType from) const;
  /// What changes nothing but the sign of a sum of -0 alone, which is 0 as NumPy's is; its index is
  /// `index`. Every result has to contain it, or first(): then all forms of a kernel agree.
  Running identity(ElementEmitter& e, llvm::Value* index) const;
  /// The first operand of a walk that does not begin with the identity.
  Running first(llvm::IRBuilder<>& b, ElementEmitter& e, const Running& x) const;
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
  Combination combination() const noexcept { return traits_of(r_).combination; }

  Reduction r_;
  DType dtype_;
};

}  // namespace hither::array
