#include <memory>
#include <utility>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/recording.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_exchange.h"
#include "python/convert/dtype_argument.h"
#include "python/interpreter/foreign_owner.h"

namespace hither::python {
namespace {

// numpy.empty. It is kept for the life of the process, because a __del__ may print an array when
// imports no longer work.
PyObject* numpy_empty = nullptr;

nb::tuple shape_object(const Array& x) {
  nb::list shape;
  for (int64_t extent : x.shape()) shape.append(extent);
  return nb::tuple(shape);
}

/// The memory of `out`, a NumPy array that can take the elements of x.
std::unique_ptr<BufferOwner> target_of(const Array& x, nb::handle out) {
  const auto refuse = [](ErrorKind kind, const std::string& text) {
    throw Error(kind, "asnumpy", text);
  };
  const auto text = [](nb::handle object) { return nb::cast<std::string>(nb::str(object)); };
  if (!is_numpy_array(out.ptr()))
    refuse(ErrorKind::kType,
           fmt::format("out is {}; pass a NumPy array, such as numpy.asarray() of an array with "
                       "usm_type=\"host\"",
                       a_type(out.ptr())));
  const nb::tuple shape = shape_object(x);
  if (!out.attr("shape").equal(shape))
    refuse(ErrorKind::kValue, fmt::format("out has shape {}; pass an array of shape {}",
                                          text(out.attr("shape")), text(shape)));
  if (!out.attr("dtype").equal(dtype_object(x.dtype())))
    refuse(ErrorKind::kType,
           fmt::format("out has dtype {}, and x has {}; cast x with astype(), or pass an array of "
                       "that dtype",
                       text(out.attr("dtype")), name_of(x.dtype())));
  const nb::object flags = out.attr("flags");
  if (!nb::cast<bool>(flags.attr("c_contiguous")))
    refuse(ErrorKind::kValue, "out is not contiguous in C order; pass an array that is");
  if (!nb::cast<bool>(flags.attr("aligned")))
    refuse(ErrorKind::kValue, "out is not aligned; pass an array whose elements are");
  if (!nb::cast<bool>(flags.attr("writeable")))
    refuse(ErrorKind::kValue, "out is read-only; pass an array that can be written");
  nb::object bits = nb::borrow(out);
  if (needs_ml_dtypes(x.dtype())) bits = out.attr("view")(dtype_object(exchanged_as(x.dtype())));
  auto target = std::make_unique<BufferOwner>(bits, PyBUF_WRITABLE);
  if (target->view().len != x.size() * x.itemsize())  // a subclass may report another shape
    refuse(ErrorKind::kValue, fmt::format("out has {} bytes, but x has {}", target->view().len,
                                          x.size() * x.itemsize()));
  return target;
}

}  // namespace

void load_numpy_empty() {
  numpy_empty = nb::object(nb::module_::import_("numpy").attr("empty")).release().ptr();
}

nb::object with_dtype(nb::object array, DType dtype) {
  return needs_ml_dtypes(dtype) ? array.attr("view")(dtype_object(dtype)) : std::move(array);
}

nb::object to_numpy(const Array& x) {
  (void)dtype_object(x.dtype());  // raises without ml_dtypes
  nb::object array =
      nb::borrow(numpy_empty)(shape_object(x), dtype_object(exchanged_as(x.dtype())));
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

void to_numpy(const Array& x, nb::handle out) {
  const auto target = target_of(x, out);
  ReleaseGil unlocked(x.size());
  to_host(x, target->view().buf);
}

Event start_to_numpy(const Array& x, nb::handle out) {
  auto target = target_of(x, out);
  void* const data = target->view().buf;
  const auto bytes = static_cast<size_t>(target->view().len);
  if (Recorder::is_active()) {  // which refuses the call
    to_host(x, data);
    return {};
  }
  const Memory kept = foreign_memory(x.queue(), data, bytes, UsmType::kHost, std::move(target));
  ReleaseGil unlocked(x.size());
  const Event copied = copy_to_host(x, data);
  try {
    kept.release_after(copied);
  } catch (...) {  // out of memory: `out` has to stay until the copy has ended
    (void)copied.wait_for_error();
    throw;
  }
  return copied;
}

}  // namespace hither::python
