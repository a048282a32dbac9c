#include "python/convert/byte_span.h"

#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <hither/native.h>
#include <hither/strides.h>
#include <nanobind/stl/string.h>

#include "python/convert/interface_fields.h"
#include "python/convert/usm_interface.h"
#include "python/interpreter/gil.h"

namespace hither::python {

namespace {

// The end of other libraries' work in the queue. Their host tasks may need the GIL while they hold
// a lock of the SYCL runtime.
Event others_in(const Queue& queue) {
  GilReleased release;
  return work_of_others(queue);
}

}  // namespace

ByteSpan::ByteSpan(nb::handle object, bool writable, const char* where)
    : owner_(nb::borrow(object)) {
  if (nb::isinstance<Memory>(object)) {
    memory_ = nb::cast<Memory>(object);
    data_ = memory_->data();
    bytes_ = memory_->bytes();
    before_ = others_in(memory_->queue());
  } else if (offers(object, kUsmInterfaceName)) {
    const UsmView view = read_usm_interface(object);
    if (!is_contiguous(view.shape, view.strides)) {
      throw Error(ErrorKind::kValue, where, "is not contiguous; copy it first");
    }
    if (writable && view.read_only) throw Error(ErrorKind::kBuffer, where, "is read-only");
    data_ = view.data;
    before_ = others_in(view.queue);
    bytes_ = static_cast<size_t>(view.shape.product()) * static_cast<size_t>(size_of(view.dtype));
  } else {
    take_buffer(object, writable, where);
  }
}

ByteSpan::~ByteSpan() {
  if (buffer_.obj) PyBuffer_Release(&buffer_);
}

void ByteSpan::take_buffer(nb::handle object, bool writable, const char* where) {
  const auto type = [&] { return nb::cast<std::string>(nb::str(object.type().attr("__name__"))); };
  if (!PyObject_CheckBuffer(object.ptr())) {
    throw Error(
        ErrorKind::kType, where,
        fmt::format("{} has neither __sycl_usm_array_interface__ nor the buffer protocol", type()));
  }
  if (PyObject_GetBuffer(object.ptr(), &buffer_,
                         PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0)) != 0) {
    nb::python_error reason;
    throw Error(
        ErrorKind::kBuffer, where,
        fmt::format("{} gives no contiguous{} buffer: {}", type(), writable ? ", writable" : "",
                    nb::cast<std::string>(nb::str(reason.value()))));
  }
  data_ = buffer_.buf;
  bytes_ = static_cast<size_t>(buffer_.len);
}

void ByteSpan::hold_until(const Event& event) const {
  if (event.is_complete()) return;
  if (memory_) {
    memory_->release_after(event);
    return;
  }
  GilReleased release;
  event.wait();
}

}  // namespace hither::python
