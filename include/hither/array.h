// Lazy n-dimensional arrays over USM.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string>

#include <hither/dims.h>
#include <hither/dtype.h>
#include <hither/memory.h>
#include <hither/queue.h>
#include <hither/reference.h>

namespace hither {

namespace array {
struct Storage;
struct Layout;
}  // namespace array

/// A number that takes part in an operation. A weak scalar (a Python or C++ literal) takes the
/// dtype of the arrays it meets, as in NumPy 2 and the Array API; a typed one promotes like a 0-d
/// array.
class HITHER_EXPORT Scalar {
 public:
  enum class Kind : uint8_t { kBool, kInt, kUInt, kFloat, kComplex };

  Scalar(bool v) noexcept : kind_(Kind::kBool), integer_(v) {}                            // NOLINT
  Scalar(int v) noexcept : Scalar(static_cast<int64_t>(v)) {}                             // NOLINT
  Scalar(int64_t v) noexcept : kind_(Kind::kInt), integer_(v) {}                          // NOLINT
  Scalar(uint64_t v) noexcept : kind_(Kind::kUInt), integer_(static_cast<int64_t>(v)) {}  // NOLINT
  Scalar(double v) noexcept : kind_(Kind::kFloat), real_(v) {}                            // NOLINT
  Scalar(std::complex<double> v) noexcept                                                 // NOLINT
      : kind_(Kind::kComplex), real_(v.real()), imag_(v.imag()) {}
  /// The same number with a dtype of its own.
  Scalar typed(DType dtype) const noexcept {
    Scalar s = *this;
    s.weak_ = false;
    s.dtype_ = dtype;
    return s;
  }

  Kind kind() const noexcept { return kind_; }
  bool is_weak() const noexcept { return weak_; }
  /// Of a typed scalar its dtype; of a weak one the default for its kind (bool, int64, float64,
  /// complex128; uint64 beyond int64).
  DType dtype() const noexcept;
  /// Writes the number as one element of `dtype` (16 bytes of room at `out`). Error kOverflow when
  /// an integer does not fit, kType when the kind cannot become that dtype (complex to float).
  void write(DType dtype, void* out) const;
  /// Whether write() would succeed.
  bool fits(DType dtype) const noexcept;
  int64_t integer() const noexcept { return integer_; }
  double real() const noexcept;
  double imag() const noexcept { return imag_; }

 private:
  Kind kind_;
  bool weak_ = true;
  DType dtype_ = DType::kBool;
  int64_t integer_ = 0;
  double real_ = 0, imag_ = 0;
};

/// A lazy array: a handle, copies share the storage. An operation checks its arguments, and returns
/// an array whose value is computed when something reads it; what is pending fuses into as few
/// kernels as it can. Views share storage with their base, and are writable.
///
/// Thread-safe: any number of threads may read, and make arrays from, one array; a write (assign(),
/// in-place operators) must not race with other uses of the same storage, as in NumPy.
class HITHER_EXPORT Array {
 public:
  /// No array: only assignment and operator bool are allowed.
  Array() noexcept;
  Array(const Array&) noexcept;
  Array(Array&&) noexcept;
  Array& operator=(const Array&) noexcept;
  Array& operator=(Array&&) noexcept;
  ~Array();
  explicit operator bool() const noexcept { return static_cast<bool>(storage_); }

  const Dims& shape() const noexcept;
  /// In elements, may be negative or zero.
  const Dims& strides() const noexcept;
  int ndim() const noexcept { return shape().size(); }
  int64_t size() const noexcept;
  DType dtype() const noexcept { return dtype_; }
  int itemsize() const noexcept { return size_of(dtype_); }
  const Queue& queue() const noexcept;
  const Device& device() const { return queue().device(); }
  UsmType usm_type() const noexcept;
  bool is_c_contiguous() const noexcept;
  /// Wraps memory that must not be written (an imported read-only buffer).
  bool is_read_only() const noexcept;

  /// Submits what is pending for this array; does not wait. Never throws for a failed task.
  Event evaluate() const;
  /// evaluate() and wait; raises the error that the array's value depends on, at each call.
  void synchronize() const;
  bool is_evaluated() const noexcept;

  /// Address of the first element, after submitting what is pending. From here on the array has
  /// escaped: work that reads or writes it is submitted at once (design: laziness is not
  /// observable).
  void* data() const;
  /// The allocation behind the array; escapes it as data() does. offset_bytes() leads to element 0.
  const Memory& memory() const;
  int64_t offset_bytes() const;
  /// Waits for pending reads and writes of an escaped array, so that the host may touch it. Error
  /// kBuffer when plain host code must not (device USM off the CPU).
  void* host_data() const;

  /// Element of a 0-d or size-1 array, after waiting.
  void item(void* out) const;

  // -- for the library itself and its bindings
  Array(Reference<array::Storage> storage, Reference<const array::Layout> layout,
        DType dtype) noexcept;
  const Reference<array::Storage>& storage() const noexcept { return storage_; }
  const Reference<const array::Layout>& layout() const noexcept { return layout_; }

 private:
  Reference<array::Storage> storage_;
  Reference<const array::Layout> layout_;
  DType dtype_ = DType::kBool;
};

/// An argument of an operation: an array or a scalar.
class Operand {
 public:
  Operand(const Array& a) noexcept : array_(&a) {}   // NOLINT(google-explicit-constructor)
  Operand(const Scalar& s) noexcept : scalar_(s) {}  // NOLINT
  template <typename T>
    requires std::is_arithmetic_v<T>
  Operand(T v) noexcept : scalar_(widen(v)) {}              // NOLINT
  Operand(std::complex<double> v) noexcept : scalar_(v) {}  // NOLINT

  bool is_array() const noexcept { return array_ != nullptr; }
  const Array& array() const noexcept { return *array_; }
  const Scalar& scalar() const noexcept { return scalar_; }

 private:
  template <typename T>
  static Scalar widen(T v) noexcept {
    if constexpr (std::is_same_v<T, bool>)
      return Scalar(v);
    else if constexpr (std::is_floating_point_v<T>)
      return Scalar(static_cast<double>(v));
    else if constexpr (std::is_unsigned_v<T>)
      return Scalar(static_cast<uint64_t>(v));
    else
      return Scalar(static_cast<int64_t>(v));
  }
  const Array* array_ = nullptr;
  Scalar scalar_{false};
};

/// Where a creation function allocates; filled from queue=, device=, usm_type=.
struct Allocate {
  Queue queue;
  UsmType usm_type = UsmType::kDevice;
};

/// Uninitialised memory, evaluated.
HITHER_EXPORT Array empty(const Dims& shape, DType dtype, const Allocate& where);
/// Lazy: a constant fuses into whatever reads it.
HITHER_EXPORT Array full(const Dims& shape, const Scalar& value, DType dtype,
                         const Allocate& where);
/// start + i * step for i in [0, count), computed in dtype (float and complex: start + i * step in
/// double, then rounded). Lazy.
HITHER_EXPORT Array iota(int64_t count, const Scalar& start, const Scalar& step, DType dtype,
                         const Allocate& where);
/// A copy of host memory: `strides` in bytes, negative allowed; blocking.
HITHER_EXPORT Array from_host(const void* data, const Dims& shape, const Dims& strides, DType dtype,
                              const Allocate& where);
/// An array over memory that exists: strides in elements. It has escaped from the start when the
/// memory is foreign.
HITHER_EXPORT Array from_memory(const Memory& memory, int64_t offset_bytes, const Dims& shape,
                                const Dims& strides, DType dtype, const Queue& queue,
                                bool read_only = false);
/// Copies the elements to C-contiguous host memory, from anywhere; blocking.
HITHER_EXPORT void to_host(const Array& x, void* out);

/// The same elements in another dtype (NumPy's casting="unsafe" values); the array itself when it
/// has the dtype already and copy is false.
HITHER_EXPORT Array astype(const Array& x, DType dtype, bool copy = true);
/// A copy in new memory, C order.
HITHER_EXPORT Array copy(const Array& x);
/// The array reachable from `where`: itself when queue and usm type agree, zero-copy where the
/// context and usm type do, else a copy.
HITHER_EXPORT Array to_queue(const Array& x, const Allocate& where);

/// destination[...] = value, broadcast and cast to it (complex to real is refused). Overlap is
/// handled: the value is as if read in full first. Lazy for whole arrays, submitted at once for
/// views. Errors: kValue for shapes and read-only destinations, kType, kOverflow, kPlacement.
HITHER_EXPORT void assign(const Array& destination, const Operand& value);
/// The same; `value` is given up, which saves storing it when nothing else names it.
HITHER_EXPORT void assign_moved(const Array& destination, Array&& value);
/// A view: shape, strides and offset (elements, relative to x's first element) must stay inside x.
HITHER_EXPORT Array strided_view(const Array& x, const Dims& shape, const Dims& strides,
                                 int64_t offset);
HITHER_EXPORT Array broadcast_to(const Array& x, const Dims& shape);
/// The shape that all broadcast to; Error kValue naming the shapes.
HITHER_EXPORT Dims broadcast_shapes(const Dims& a, const Dims& b);

/// Submits what is pending for these arrays, those of one queue and shape by one kernel where they
/// are not too large for it; does not wait. Never throws for a failed task.
HITHER_EXPORT void evaluate(std::span<const Array> arrays);

/// Kernels that evaluating x would run, in words: inputs, outputs, bytes moved.
HITHER_EXPORT std::string explain(const Array& x);

}  // namespace hither
