// Attributes of hither.Array that need no arguments.
#include <algorithm>

#include <hither/linalg.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/stream.h>

#include "python/bind/array_slots.h"
#include "python/bind/bindings.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_flags.h"
#include "python/convert/cuda_interface.h"
#include "python/convert/current_queue.h"
#include "python/convert/dpctl_queue.h"
#include "python/convert/dtype_argument.h"
#include "python/convert/usm_interface.h"
#include "runtime/foreign_work.h"

namespace hither::python {
namespace {

PyObject* new_reference(PyObject* object) noexcept {
  Py_INCREF(object);
  return object;
}

template <typename T>
PyObject* cast(T&& value) {
  return nb::cast(std::forward<T>(value)).release().ptr();
}

template <auto get>
PyObject* attribute(PyObject* self, void*) {
  return guarded([&] { return get(array_of(self)); });
}

PyObject* shape(const Array& x) { return to_tuple(x.shape()).release().ptr(); }

// As in NumPy, an assignment to x.shape changes this object, where a view has the new shape.
int set_shape(PyObject* self, PyObject* value, void*) {
  return guarded_status([&] {
    if (!value) {
      PyErr_SetString(PyExc_AttributeError, "the shape of an array cannot be deleted");
      return -1;
    }
    Array& x = array_of(self);
    const Dims wanted =
        PyLong_Check(value) ? Dims{to_integer(value, "shape")} : to_integers(value, "shape");
    const Array reshaped = reshape(x, wanted);
    if (!(reshaped.storage() == x.storage())) {
      PyErr_SetString(PyExc_AttributeError,
                      "these elements cannot have the new shape without a copy; use "
                      "x = x.reshape(shape)");
      return -1;
    }
    x = reshaped;
    return 0;
  });
}

PyObject* base(const Array& x) {
  Array all = base_of(x);
  return all ? wrap(std::move(all)) : new_reference(Py_None);
}

PyObject* strides(const Array& x) { return to_tuple(x.strides(), x.itemsize()).release().ptr(); }
PyObject* dtype(const Array& x) { return new_reference(dtype_object(x.dtype()).ptr()); }
PyObject* ndim(const Array& x) { return PyLong_FromLong(x.ndim()); }
PyObject* size(const Array& x) { return PyLong_FromLongLong(x.size()); }
PyObject* itemsize(const Array& x) { return PyLong_FromLong(x.itemsize()); }
PyObject* nbytes(const Array& x) { return PyLong_FromLongLong(x.size() * x.itemsize()); }
PyObject* queue(const Array& x) { return cast(x.queue()); }
PyObject* sycl_queue(const Array& x) { return dpctl_queue(x.queue()).release().ptr(); }
PyObject* device(const Array& x) { return device_of_queue(x.queue()).release().ptr(); }
PyObject* context(const Array& x) { return cast(x.queue().context()); }
PyObject* usm_type(const Array& x) {
  const std::string_view name = name_of(x.usm_type());
  return PyUnicode_FromStringAndSize(name.data(), static_cast<Py_ssize_t>(name.size()));
}

Array transposed(const Array& x) {
  Dims shape = x.shape();
  Dims strides = x.strides();
  std::reverse(shape.begin(), shape.end());
  std::reverse(strides.begin(), strides.end());
  return strided_view(x, shape, strides, 0);
}

PyObject* transpose(const Array& x) { return wrap(transposed(x)); }
PyObject* swapped(const Array& x) { return wrap(matrix_transpose(x)); }

// In NumPy, real and imag of complex arrays are views. Here they are new arrays, as in the Array
// API.
PyObject* real_part(const Array& x) {
  return wrap(unlocked([&] { return is_complex(x.dtype()) ? real(x) : x; }));
}
PyObject* imag_part(const Array& x) {
  return wrap(unlocked([&] { return imag(x); }));
}

PyObject* flags(PyObject* self, void*) {
  return guarded([&] {
    const Array& x = array_of(self);
    return cast(ArrayFlags{nb::borrow(self), x.is_c_contiguous(), transposed(x).is_c_contiguous(),
                           !x.is_read_only()});
  });
}

// Where the SYCL runtime does not order the queue, host tasks of other libraries do not wait for
// kernels of hither: this function waits instead.
void* address_for_others(const Array& x) {
  ReleaseGil unlocked(x.size());
  const bool waits = runtime::may_delay_foreign_commands(x.queue()) && x.memory().host_accessible();
  return waits ? x.host_data() : x.data();
}

PyObject* usm_interface(const Array& x) {
  return make_usm_interface(address_for_others(x), x.is_read_only(), x.shape(), x.strides(),
                            x.dtype(), nb::cast(x.queue()))
      .release()
      .ptr();
}

// Only arrays on CUDA devices have the attribute.
PyObject* cuda_interface(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    const Array& x = array_of(self);
    if (!cuda_number(x.device())) {
      PyErr_SetString(PyExc_AttributeError,
                      "only arrays on CUDA devices have __cuda_array_interface__");
      return nullptr;
    }
    return make_cuda_interface(x).release().ptr();
  });
}

// Only dpnp needs the attribute; without dpnp it does not exist.
PyObject* usm_ndarray(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    if (!dpnp_takes(array_of(self))) {
      PyErr_SetString(PyExc_AttributeError,
                      "only arrays on SYCL devices have __usm_ndarray__, "
                      "and only while dpnp is imported");
      return nullptr;
    }
    return nb::module_::import_("hither._interop.dpnp_array")
        .attr("usm_ndarray_of")(nb::handle(self))
        .release()
        .ptr();
  });
}

#define HITHER_ATTRIBUTE(name, function, doc) {name, attribute<function>, nullptr, doc, nullptr}
PyGetSetDef attributes[] = {
    {"shape", attribute<shape>, set_shape,
     "Extents, a tuple of ints. An assignment changes this object, if no copy is necessary.",
     nullptr},
    HITHER_ATTRIBUTE("base", base,
                     "If the array is a part of its memory, or has it in another shape, an array "
                     "of all\nelements of the memory, else None."),
    HITHER_ATTRIBUTE("strides", strides,
                     "Bytes from one element to the next along each axis, as in NumPy and CuPy. "
                     "(dpctl counts\n"
                     "elements.)"),
    HITHER_ATTRIBUTE("dtype", dtype, "NumPy's dtype of the elements."),
    HITHER_ATTRIBUTE("ndim", ndim, "Number of axes."),
    HITHER_ATTRIBUTE("size", size, "Number of elements."),
    HITHER_ATTRIBUTE("itemsize", itemsize, "Bytes of one element."),
    HITHER_ATTRIBUTE("nbytes", nbytes, "Bytes of all elements."),
    HITHER_ATTRIBUTE("queue", queue, "The queue on which operations on this array run."),
    HITHER_ATTRIBUTE("sycl_queue", sycl_queue,
                     "The same as queue. On SYCL devices, while dpctl is imported, it is a "
                     "dpctl.SyclQueue\n"
                     "over the same sycl::queue, because dpnp requires that class. hither "
                     "accepts it wherever\n"
                     "it accepts a queue."),
    HITHER_ATTRIBUTE("device", device,
                     "The device that holds the data. As a device= argument it stands for the "
                     "array's queue."),
    HITHER_ATTRIBUTE("sycl_device", device, "The same as device."),
    HITHER_ATTRIBUTE("sycl_context", context, "The context that the memory belongs to."),
    HITHER_ATTRIBUTE("usm_type", usm_type, "\"device\", \"shared\" or \"host\"."),
    HITHER_ATTRIBUTE("T", transpose, "A view with the axes reversed."),
    HITHER_ATTRIBUTE("mT", swapped, "A view with the last two axes exchanged."),
    HITHER_ATTRIBUTE("real", real_part, "Real part; the array itself when it is real."),
    HITHER_ATTRIBUTE("imag", imag_part, "Imaginary part; zeros when it is real."),
    {"flags", flags, nullptr, "An ArrayFlags.", nullptr},
    HITHER_ATTRIBUTE("__sycl_usm_array_interface__", usm_interface,
                     "Describes the memory to SYCL libraries. Reading it submits pending work."),
    {"__cuda_array_interface__", cuda_interface, nullptr,
     "Describes the memory to CUDA libraries, after pending work. On CUDA devices only.", nullptr},
    {"__usm_ndarray__", usm_ndarray, nullptr,
     "A dpctl.tensor.usm_ndarray over the same memory, for dpnp.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
#undef HITHER_ATTRIBUTE

}  // namespace

const PyType_Slot array_attribute_slots[] = {
    {Py_tp_getset, attributes},
    {0, nullptr},
};

}  // namespace hither::python
