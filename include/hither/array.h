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

/// A scalar operand. A weak scalar (a Python or C++ literal) takes the dtype of the array operands,
/// as in NumPy 2 and the Array API. A typed scalar promotes like a 0-d array.
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
  /// The same number as a typed scalar.
  Scalar typed(DType dtype) const noexcept {
    Scalar s = *this;
    s.weak_ = false;
    s.dtype_ = dtype;
    return s;
  }

  /// The same number, which a recorded function (recording.h) receives anew at each run. `symbol`
  /// is its place, from 1 on, in the numbers of the run.
  Scalar symbolic(uint16_t symbol) const noexcept {
    Scalar s = *this;
    s.symbol_ = symbol;
    return s;
  }

  Kind kind() const noexcept { return kind_; }
  /// 0 for a number that no recording replaces.
  uint16_t symbol() const noexcept { return symbol_; }
  bool is_weak() const noexcept { return weak_; }
  /// The dtype of a typed scalar; for a weak one the default of its kind (bool, int64, float64,
  /// complex128; uint64 beyond int64).
  DType dtype() const noexcept;
  /// Writes the number as one element of `dtype` (`out` has room for 16 bytes). Error kOverflow
  /// when an integer does not fit, kType when the kind cannot become that dtype (complex to float).
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
  uint16_t symbol_ = 0;
  int64_t integer_ = 0;
  double real_ = 0, imag_ = 0;
};

/// A lazy array. It is a handle: copies share the storage. An operation checks its arguments and
/// returns an array whose value is computed when it is read. Pending operations are fused into few
/// kernels. Views share storage with their base and are writable.
///
/// Thread-safe: any number of threads may read, and make arrays from, one array; a write (assign(),
/// in-place operators) must not race with other uses of the same storage, as in NumPy.
class HITHER_EXPORT Array {
 public:
  /// An empty handle: only assignment and operator bool are allowed.
  Array() noexcept;
  Array(const Array&) noexcept;
  Array(Array&&) noexcept;
  Array& operator=(const Array&) noexcept;
  Array& operator=(Array&&) noexcept;
  ~Array();
  explicit operator bool() const noexcept { return static_cast<bool>(storage_); }

  const Dims& shape() const noexcept;
  /// In elements; may be negative or zero.
  const Dims& strides() const noexcept;
  int ndim() const noexcept { return shape().size(); }
  int64_t size() const noexcept;
  DType dtype() const noexcept { return dtype_; }
  int itemsize() const noexcept { return size_of(dtype_); }
  const Queue& queue() const noexcept;
  const Device& device() const { return queue().device(); }
  UsmType usm_type() const noexcept;
  bool is_c_contiguous() const noexcept;
  /// Whether the memory must not be written (an imported read-only buffer).
  bool is_read_only() const noexcept;

  /// Submits the pending work for this array and does not wait. Never throws for a failed task.
  Event evaluate() const;
  /// Evaluates and waits. Each call raises the error that the array's value depends on.
  void synchronize() const;
  bool is_evaluated() const noexcept;

  /// Submits the pending work and returns the address of the first element. From now on the array
  /// has escaped: work that reads or writes it is submitted at once, so that laziness is not
  /// observable.
  void* data() const;
  /// The allocation of the array. The array escapes, as with data(). offset_bytes() is the offset
  /// of element 0.
  const Memory& memory() const;
  int64_t offset_bytes() const;
  /// Waits for pending reads and writes of an escaped array, after which the host may access it.
  /// Error kBuffer when the host cannot access the memory (device USM of GPUs).
  void* host_data() const;

  /// The first element for a library of the host, which reads the memory while the pointer or a
  /// copy of it exists. Unlike with host_data() the array does not escape. Waits for writes.
  /// `own`: also memory that HITHER_STRICT_USM keeps from programs. Error kBuffer as there.
  std::shared_ptr<void> borrowed_host_data(bool own) const;

  /// The element of a 0-d or size-1 array; waits.
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

/// An argument of an operation: a scalar, or a reference to an array, which has to outlive it. An
/// array may be a temporary only where the Operand is one too, as in `sqrt(x * 2)`.
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
/// Lazy: a constant is fused into the kernels that read it.
HITHER_EXPORT Array full(const Dims& shape, const Scalar& value, DType dtype,
                         const Allocate& where);
/// start + i * step for i in [0, count), computed in dtype (float and complex: start + i * step in
/// double, then rounded). Lazy.
HITHER_EXPORT Array iota(int64_t count, const Scalar& start, const Scalar& step, DType dtype,
                         const Allocate& where);
/// A copy of host memory: `strides` in bytes, negative allowed; blocking. `carrier`, an equivalent
/// queue, copies in place of `where.queue`, whose earlier tasks then need not end first.
HITHER_EXPORT Array from_host(const void* data, const Dims& shape, const Dims& strides, DType dtype,
                              const Allocate& where, const Queue* carrier = nullptr);
/// An array over existing memory, with strides in elements. It has escaped if the memory is
/// foreign.
HITHER_EXPORT Array from_memory(const Memory& memory, int64_t offset_bytes, const Dims& shape,
                                const Dims& strides, DType dtype, const Queue& queue,
                                bool read_only = false);
/// Copies the elements to C-contiguous host memory; blocking.
HITHER_EXPORT void to_host(const Array& x, void* out);
/// The same, without waiting: the event is complete when the elements are in `out`, which has to
/// stay allocated until then. Later writes to x wait for it.
HITHER_EXPORT Event copy_to_host(const Array& x, void* out);

/// The same elements in another dtype (NumPy's casting="unsafe" values); the array itself when it
/// has the dtype already and copy is false.
HITHER_EXPORT Array astype(const Array& x, DType dtype, bool copy = true);
/// A copy in new memory, C order.
HITHER_EXPORT Array copy(const Array& x);
/// The array on the queue of `where`: x itself if queue and USM type are the same, a view of the
/// same memory if context and USM type are, else a copy.
HITHER_EXPORT Array to_queue(const Array& x, const Allocate& where);

/// destination[...] = value, broadcast and cast to it (complex to real is refused). Overlap is
/// handled as if the whole value were read first. Lazy for whole arrays, submitted at once for
/// views. Errors: kValue for shapes and read-only destinations, kType, kOverflow, kPlacement.
HITHER_EXPORT void assign(const Array& destination, const Operand& value);
/// The same. `value` is consumed, which avoids storing it if no other array refers to it.
HITHER_EXPORT void assign_moved(const Array& destination, Array&& value);
/// While it lives, kernels that compute a pending array as a part of another value do not also
/// store it. For an array that the caller is about to drop: if it is read later all the same, it is
/// computed again. Only for the thread that has the array.
class HITHER_EXPORT Unstored {
 public:
  /// Null, and arrays that are evaluated: does nothing.
  explicit Unstored(const Array* x);
  Unstored(const Unstored&) = delete;
  Unstored& operator=(const Unstored&) = delete;
  ~Unstored();

 private:
  Reference<array::Storage> hidden_;
};
/// A view. Shape, strides and offset (in elements, relative to x's first element) must stay inside
/// x.
HITHER_EXPORT Array strided_view(const Array& x, const Dims& shape, const Dims& strides,
                                 int64_t offset);
/// All elements of the memory of which x is a view; an empty handle if x is all of them.
HITHER_EXPORT Array base_of(const Array& x);
/// A view of all of x that can be written, or that cannot. Error kValue if it is to be writable,
/// but the memory is read-only or elements may repeat.
HITHER_EXPORT Array with_writable(const Array& x, bool writable);
HITHER_EXPORT Array broadcast_to(const Array& x, const Dims& shape);
/// The shape to which both broadcast; Error kValue naming the shapes.
HITHER_EXPORT Dims broadcast_shapes(const Dims& a, const Dims& b);

/// Submits the pending work for these arrays and does not wait. Arrays of the same queue and shape
/// share a kernel if it does not become too large. Never throws for a failed task.
HITHER_EXPORT void evaluate(std::span<const Array> arrays);

/// Describes the kernels that evaluating x would run: inputs, outputs, bytes moved. Before them,
/// the work on the host that has made values which they read.
HITHER_EXPORT std::string explain(const Array& x);
/// Adds to explain() that `description` has made x's present value on the host.
HITHER_EXPORT void note_host_work(const Array& x, std::string_view description);

}  // namespace hither
