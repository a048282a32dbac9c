// Emits loads, stores, casts and operations of one element or a vector of elements.
#pragma once

#include <string>

#include <hither/ops.h>
#include <llvm/IR/IRBuilder.h>

namespace hither::array {

struct UserFunction;

/// One element in registers: bool is i1, integers and floats have their own type, bfloat16 is i16,
/// float8 is i8, and complex has two parts.
struct Element {
  llvm::Value* re = nullptr;
  llvm::Value* im = nullptr;
};

/// Whether an element is kept in registers as its bits, in an integer. Operations compute bfloat16
/// in float32.
constexpr bool is_bits(DType t) noexcept { return t == DType::kBFloat16 || is_float8(t); }

/// Emits at the builder's position. With lanes > 1 every value is a vector of that many elements.
/// Each lane gets the bits of the scalar form.
class ElementEmitter {
 public:
  /// With `in_words`, consecutive elements that are loaded together are aligned to their total
  /// size.
  ElementEmitter(llvm::IRBuilder<>& builder, int lanes, bool in_words = false)
      : b(builder), lanes_(lanes), in_words_(in_words) {}

  int lanes() const noexcept { return lanes_; }
  llvm::IRBuilder<>& builder() const noexcept { return b; }
  /// Register type of a part (complex: of one of its two parts).
  llvm::Type* part_type(DType t) const;
  /// Memory type of a part: as part_type, but i8 for bool.
  llvm::Type* memory_type(DType t) const;
  llvm::Type* widen(llvm::Type* scalar) const;

  /// The element at `index` (i64, in elements) from `base`. With lanes > 1 the elements are
  /// consecutive when `step` is null, else `step` (i64) elements apart. Lanes outside `mask` are
  /// not accessed and are zero.
  Element load(DType t, llvm::Value* base, llvm::Value* index, llvm::Value* step = nullptr,
               llvm::Value* mask = nullptr);
  /// Stores a scalar (lanes == 1), or consecutive elements. `aligned`: to their size, even if they
  /// are complex.
  void store(DType t, const Element& e, llvm::Value* base, llvm::Value* index,
             llvm::Value* mask = nullptr, bool aligned = false);
  /// A scalar argument in every lane. `memory` is its value as a kernel parameter.
  Element from_parameter(DType t, llvm::Value* memory);

  Element cast(const Element& e, DType from, DType to);
  /// Operands have dtype `compute` (where: operand 0 is bool).
  Element apply(Op op, DType compute, const Element* operands);
  /// Operands have the function's dtypes.
  Element apply(const UserFunction& user, const Element* operands);
  llvm::Value* select_zero(DType t) const;

  llvm::Value* constant(DType t, double v) const;

 private:
  /// The type in which a user function takes and returns a dtype, and lane `i` of an element in
  /// that type.
  llvm::Type* argument_type(DType t) const;
  llvm::Value* as_argument(DType t, const Element& x, int i);
  /// The float32 of a bfloat16 or float8, and the element nearest to a float32.
  Element widened(const Element& e, DType from);
  Element narrowed(const Element& e, DType to);
  /// A float32 that narrowed() rounds as it would round an element of another real dtype itself.
  llvm::Value* float_before(const Element& e, DType from);
  Element bfloat16_op(Op op, const Element* x);
  Element real_op(Op op, DType t, const Element* x);
  Element float_op(Op op, DType t, const Element* x);
  Element integer_op(Op op, DType t, const Element* x);
  Element bool_op(Op op, const Element* x);
  Element complex_op(Op op, DType t, const Element* x);
  Element compare(Op op, DType t, const Element* x);
  Element complex_multiply(const Element& x, const Element& y);
  llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> args);
  /// A libm function, in the only variant that the machine has of it.
  llvm::Value* call_math(const std::string& name, llvm::ArrayRef<llvm::Value*> args);
  /// A scalar function, called for each lane.
  llvm::Value* call(const std::string& name, llvm::ArrayRef<llvm::Value*> args);
  Element call_complex(const std::string& name, DType t, llvm::ArrayRef<llvm::Value*> args);
  /// Calls f with the arguments of each lane, and collects what it returns: elements whose parts
  /// have the type `scalar`, which is also that of the arguments.
  Element for_each_lane(llvm::Type* scalar, llvm::ArrayRef<llvm::Value*> args,
                        llvm::function_ref<Element(llvm::ArrayRef<llvm::Value*>)> f);
  /// The same by a loop, for vectors of many elements.
  Element loop_over_lanes(llvm::Type* scalar, llvm::ArrayRef<llvm::Value*> args,
                          llvm::function_ref<Element(llvm::ArrayRef<llvm::Value*>)> f);
  /// A private variable, allocated at the function's entry.
  llvm::Value* variable(llvm::Type* type);
  llvm::Value* lane(llvm::Value* v, int i);
  llvm::Value* gather(llvm::Type* part, llvm::Value* where, llvm::Align align, llvm::Value* mask);
  llvm::Value* extreme(llvm::Intrinsic::ID id, DType t, llvm::Value* x, llvm::Value* y);
  llvm::Value* odd_float(llvm::Value* wide);

  llvm::IRBuilder<>& b;
  int lanes_;
  bool in_words_;
};

/// The suffix of a dtype in names of the device library: "i32", "f64", "c128".
std::string library_suffix(DType t);

}  // namespace hither::array
