#include "python/convert/array_argument.h"
#include "python/convert/array_exchange.h"
#include "python/convert/dtype_argument.h"

namespace hither::python {
namespace {

// numpy.empty. It is kept for the life of the process, because a __del__ may print an array when
// imports no longer work.
PyObject* numpy_empty = nullptr;

}  // namespace

void load_numpy_empty() {
  numpy_empty = nb::object(nb::module_::import_("numpy").attr("empty")).release().ptr();
}

nb::object with_dtype(nb::object array, DType dtype) {
  return needs_ml_dtypes(dtype) ? array.attr("view")(dtype_object(dtype)) : std::move(array);
}

nb::object to_numpy(const Array& x) {
  (void)dtype_object(x.dtype());  // raises without ml_dtypes
  nb::list shape;
  for (int64_t extent : x.shape()) shape.append(extent);
  nb::object array =
      nb::borrow(numpy_empty)(nb::tuple(shape), dtype_object(exchanged_as(x.dtype())));
  Py_buffer buffer;
  if (PyObject_GetBuffer(array.ptr(), &buffer, PyBUF_WRITABLE) != 0) throw nb::python_error();
  try {
    ReleaseGil unlocked(x.size());
    to_host(x, buffer.buf);
  } catch (...) {
    PyBuffer_Release(&buffer);
    throw;
  }
  PyBuffer_Release(&buffer);
  return with_dtype(array, x.dtype());
}

}  // namespace hither::python
