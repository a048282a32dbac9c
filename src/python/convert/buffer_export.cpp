// The buffer protocol: NumPy and memoryview see an array's memory without a copy.
#include <memory>

#include <fmt/format.h>
#include <hither/error.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_exchange.h"

namespace hither::python {
namespace {

// The shape and strides that a Py_buffer points to, freed with the export.
struct Export {
  Dims shape, strides;
};

constexpr const char* kFormats[kDTypeCount] = {"?",  "b",  "h",     "i",     "l",    "B",
                                               "H",  "I",  "L",     "e",     "f",    "d",
                                               "Zf", "Zd", nullptr, nullptr, nullptr};

bool is_f_contiguous(const Array& x) {
  int64_t expected = 1;
  for (int i = 0; i < x.ndim(); ++i) {
    if (x.shape()[i] != 1 && x.strides()[i] != expected) return x.size() == 0;
    expected *= x.shape()[i];
  }
  return true;
}

void check(const Array& x, int flags) {
  if (!kFormats[static_cast<int>(x.dtype())])
    throw Error(ErrorKind::kBuffer, "buffer",
                fmt::format("the buffer protocol has no format for {}; use hither.asnumpy(x), or "
                            "x.view('uint{}') for the bits",
                            name_of(x.dtype()), 8 * x.itemsize()));
  const bool c = x.is_c_contiguous();
  const bool f = is_f_contiguous(x);
  const auto wants = [&](int flag) { return (flags & flag) == flag; };
  if (wants(PyBUF_WRITABLE) && x.is_read_only()) {
    throw Error(ErrorKind::kBuffer, "buffer", "the array is read-only");
  }
  if ((wants(PyBUF_C_CONTIGUOUS) && !c) || (wants(PyBUF_F_CONTIGUOUS) && !f) ||
      (wants(PyBUF_ANY_CONTIGUOUS) && !c && !f) || (!wants(PyBUF_STRIDES) && !c)) {
    throw Error(ErrorKind::kBuffer, "buffer",
                "the array is not contiguous as requested; copy it first (hither.copy)");
  }
}

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  return guarded_status([&] {
    const Array& x = array_of(self);
    check(x, flags);
    auto exported = std::make_unique<Export>();
    exported->shape = x.shape();
    exported->strides = x.strides();
    for (int64_t& stride : exported->strides) stride *= x.itemsize();
    {
      ReleaseGil unlocked(x.size());
      view->buf = x.host_data();
    }
    view->len = x.size() * x.itemsize();
    view->itemsize = x.itemsize();
    view->readonly = x.is_read_only();
    view->ndim = x.ndim();
    view->format =
        (flags & PyBUF_FORMAT) ? const_cast<char*>(kFormats[static_cast<int>(x.dtype())]) : nullptr;
    view->shape = (flags & PyBUF_ND) == PyBUF_ND ? exported->shape.begin() : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? exported->strides.begin() : nullptr;
    view->suboffsets = nullptr;
    view->internal = exported.release();
    Py_INCREF(self);
    view->obj = self;
    return 0;
  });
}

void release_buffer(PyObject*, Py_buffer* view) { delete static_cast<Export*>(view->internal); }

}  // namespace

Array view_as(const Array& x, DType dtype) {
  if (size_of(dtype) != x.itemsize())
    throw Error(ErrorKind::kValue, "view_as",
                fmt::format("elements of {} and {} have different sizes", name_of(x.dtype()),
                            name_of(dtype)));
  return from_memory(x.memory(), x.offset_bytes(), x.shape(), x.strides(), dtype, x.queue(),
                     x.is_read_only());
}

const PyType_Slot array_buffer_slots[] = {
    {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
    {Py_bf_releasebuffer, reinterpret_cast<void*>(release_buffer)},
    {0, nullptr},
};

}  // namespace hither::python
