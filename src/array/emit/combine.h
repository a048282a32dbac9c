// Emits how a reduction combines two elements.
#pragma once

#include "array/emit/element.h"
#include "array/form/reduction.h"

namespace hither::array {

/// The running result of one lane, or of a vector of lanes. Only argmin and argmax have an index,
/// which is i64 or of the type that the caller counts in.
struct Running {
  Element value;
  llvm::Value* index = nullptr;
};

/// Emits the operations of one reduction.
class Combiner {
 public:
  Combiner(const Accumulation& a)  // NOLINT(*explicit*)
      : r_(a.reduction), dtype_(a.dtype), user_(a.user) {}

  bool with_index() const noexcept { return Accumulation{r_, dtype_}.with_index(); }
  DType dtype() const noexcept { return dtype_; }

  /// An operand converted to the form in which it is accumulated.
  Element prepare(ElementEmitter& e, const Element& x, DType from) const;
  /// The identity, with the given index. It changes nothing except that a sum of -0 alone becomes
  /// 0, as in NumPy. Every result has to include it, or first(), so that all forms of a kernel
  /// agree.
  Running identity(ElementEmitter& e, llvm::Value* index) const;
  /// The first operand, for a walk that does not start with the identity.
  Running first(llvm::IRBuilder<>& b, ElementEmitter& e, const Running& x) const;
  /// `y` comes after `x`. Of equal elements x's index is kept.
  Running in_order(llvm::IRBuilder<>& b, ElementEmitter& e, const Running& x,
                   const Running& y) const;
  /// In any order: of equal elements the lower index is kept.
  Running any_order(llvm::IRBuilder<>& b, ElementEmitter& e, const Running& x,
                    const Running& y) const;
  /// Combines lanes l, l + keep, l + 2 keep, ... by halving, until `keep` lanes are left. The
  /// number of lanes is `keep` times a power of two. The result is a vector of `keep` lanes, or a
  /// scalar.
  Running fold(llvm::IRBuilder<>& b, const Running& x, int lanes, int keep) const;

 private:
  llvm::Value* better(llvm::IRBuilder<>& b, const Element& x, const Element& y) const;
  Element identity_value(ElementEmitter& e) const;
  Element user_identity(ElementEmitter& e) const;
  Combination combination() const noexcept { return traits_of(r_).combination; }

  Reduction r_;
  DType dtype_;
  const UserFunction* user_;
};

/// The stored form of an old element combined with a new one, both of dtype t.
Element combined(llvm::IRBuilder<>& b, ElementEmitter& e, Reduction r, DType t, const Element& old,
                 const Element& added);

}  // namespace hither::array
