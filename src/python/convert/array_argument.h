// Arguments of array functions: scalars, arrays, shapes, axes, and where to allocate.
#pragma once

#include <optional>
#include <string_view>

#include <hither/array.h>
#include <hither/ops.h>

#include "python/convert/array_object.h"
#include "python/interpreter/release_gil.h"

namespace hither::python {

/// The number in `object`, or nothing. A Python int, float, bool or complex is weakly typed; a
/// traced number is weakly typed and has a symbol. A NumPy scalar or 0-dimensional NumPy array has
/// its dtype. An int beyond 64 bits becomes a float if `other_dtype`, the dtype of the other
/// operands, is floating or complex; otherwise it is Error kOverflow. Error kType for NumPy scalars
/// of dtypes that arrays cannot hold.
std::optional<Scalar> scalar_of(PyObject* object, DType other_dtype = DType::kInt64);

/// The class of numbers of a function that is recorded (hither.compile). They have the attributes
/// `value`, a Python number, and `symbol`; null before its import. The reference is kept.
extern PyTypeObject* traced_number_type;

/// A borrowed hither.Array or a scalar; nothing for other objects.
inline std::optional<Operand> operand_of(PyObject* object, DType other_dtype) {
  if (is_array(object)) return Operand(array_of(object));
  if (auto scalar = scalar_of(object, other_dtype)) return Operand(*scalar);
  return std::nullopt;
}

/// The same for an operand of `op`. In comparisons with integers an infinity of its sign, which is
/// beyond them too, replaces an int beyond 64 bits.
std::optional<Operand> operand_of(Op op, PyObject* object, DType other_dtype);

/// A 0-dimensional NumPy array that holds a number. Array functions treat it as a scalar if another
/// argument is an array, and as an array otherwise.
bool is_zero_dimensional(PyObject* object);
/// A NumPy array, or another object with the buffer protocol that is not a hither.Array.
bool is_host_array(PyObject* object) noexcept;
/// Has __sycl_usm_array_interface__, or __cuda_array_interface__ in processes with a CUDA device,
/// and is not a hither.Array. Exceptions of reading either attribute propagate.
bool is_foreign_usm_array(PyObject* object);

/// The qualified name of the type: "numpy.ndarray", "list".
std::string type_name(PyObject* object);
/// The same with its article: "a numpy.ndarray", "an int".
std::string a_type(PyObject* object);

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
/// The queue and the usm_type that the keywords give. Missing ones come from `like`, else from the
/// device context, else from the defaults.
Allocate to_allocate(const WhereKeywords& where, const Array* like = nullptr);

}  // namespace hither::python
