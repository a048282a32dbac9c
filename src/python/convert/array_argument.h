// What Python hands to array functions: scalars, arrays, shapes, axes, where to allocate.
#pragma once

#include <optional>
#include <string_view>

#include <hither/array.h>

#include "python/convert/array_object.h"
#include "python/interpreter/gil.h"
#include "python/interpreter/host_task.h"

namespace hither::python {

/// The number in `object`, if it is one: a Python int, float, bool or complex is weak, a NumPy
/// scalar, or a NumPy array of no dimension, has its dtype. An int beyond 64 bits counts as a float
/// when `beside` (the dtype that it meets) is floating or complex, else Error kOverflow. Error
/// kType for NumPy scalars that arrays cannot hold.
std::optional<Scalar> scalar_of(PyObject* object, DType beside = DType::kInt64);

/// A borrowed view of `object`: an array of ours or a scalar; nothing for anything else.
inline std::optional<Operand> operand_of(PyObject* object, DType beside) {
  if (is_array(object)) return Operand(array_of(object));
  if (auto scalar = scalar_of(object, beside)) return Operand(*scalar);
  return std::nullopt;
}

/// A NumPy array of no dimension that holds a number: a scalar beside arrays, an array without
/// them.
bool is_zero_dimensional(PyObject* object);
/// Memory of the host: a NumPy array, or an object with the buffer protocol that is no array of
/// ours.
bool is_host_array(PyObject* object) noexcept;
/// Offers __sycl_usm_array_interface__, or __cuda_array_interface__ where there is CUDA, and is no
/// array of ours. Raises what reading either raises.
bool is_foreign_usm_array(PyObject* object);

/// "numpy.ndarray", "list".
std::string type_name(PyObject* object);

/// An int or a sequence of ints. Error kType or kValue (negative, too many dimensions).
Dims to_shape(nb::handle object, const char* where = "shape");
/// One int. Error kType, kValue beyond 64 bits.
int64_t to_integer(nb::handle object, const char* where);
/// Any ints, as many as kMaxRank: shapes with -1, axes, shifts.
Dims to_integers(nb::handle object, const char* where);
/// A tuple of ints, each multiplied by `scale`.
nb::tuple to_tuple(const Dims& dims, int64_t scale = 1);

UsmType to_usm_type(nb::handle object);

/// The keywords of every function that allocates; None where not given.
struct WhereKeywords {
  nb::handle queue, sycl_queue, device, usm_type;
};
/// Where these mean; what is not given is taken from `like`, else from the device context, else the
/// default.
Allocate to_allocate(const WhereKeywords& where, const Array* like = nullptr);

/// Runs the rest of the scope without the GIL when `elements` is enough work to pay for it, or when
/// what the scope may wait for needs the GIL. Also a call_guard of functions that touch no Python
/// object.
class ReleaseGil {
 public:
  /// For scopes that run nothing but what was pending: lazy operations.
  ReleaseGil() : ReleaseGil(0) {}
  explicit ReleaseGil(int64_t elements) {
    if (elements > kWorthReleasing || python_work_pending()) release_.emplace();
  }

 private:
  static constexpr int64_t kWorthReleasing = 32 * 1024;
  std::optional<GilReleased> release_;
};

/// The result of work() run so.
template <typename Work>
auto unlocked(Work&& work) {
  ReleaseGil release;
  return work();
}

}  // namespace hither::python
