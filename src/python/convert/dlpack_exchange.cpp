// DLPack's C exchange API: a table of functions by which extensions exchange tensors without calls
// in Python.
// https://dmlc.github.io/dlpack/latest/python_spec.html
#include <hither/error.h>

#include "python/convert/array_argument.h"
#include "python/convert/array_exchange.h"

namespace hither::python {
namespace {

// Callers of the table have checked the object's type, so that another type is their mistake.
const Array& exchanged_array(void* object) {
  if (is_array(static_cast<PyObject*>(object))) return array_of(static_cast<PyObject*>(object));
  throw Error(ErrorKind::kType, "DLPack", "the object is not a hither.Array");
}

int allocate_tensor(dlpack::Tensor* like, dlpack::ManagedTensorVersioned** out, void* context,
                    void (*set_error)(void* context, const char* kind, const char* message)) {
  try {
    GilAcquired gil;  // callers need not hold it
    *out = export_dlpack_tensor(empty_like_dlpack(*like));
    return 0;
  } catch (const Error& error) {
    set_error(context, error.kind() == ErrorKind::kMemory ? "MemoryError" : "BufferError",
              error.what());
  } catch (const std::exception& error) {
    set_error(context, "RuntimeError", error.what());
  }
  return -1;
}

int tensor_from_object(void* object, dlpack::ManagedTensorVersioned** out) {
  return guarded_status([&] {
    *out = export_dlpack_tensor(exchanged_array(object));
    return 0;
  });
}

int object_from_tensor(dlpack::ManagedTensorVersioned* tensor, void** out) {
  return guarded_status([&] {
    PyObject* const made = wrap(adopt_dlpack_tensor(tensor));
    if (!made) return -1;
    *out = made;
    return 0;
  });
}

int view_of_object(void* object, dlpack::Tensor* out) {
  return guarded_status([&] {
    *out = view_dlpack_tensor(exchanged_array(object));
    return 0;
  });
}

// hither has no current stream. Exchanged tensors are ordered with the legacy default stream.
int current_stream(dlpack::DeviceType, int32_t, void** out) {
  *out = nullptr;
  return 0;
}

}  // namespace

nb::object dlpack_exchange_capsule() {
  static dlpack::ExchangeTable table{{dlpack::kMajorVersion, dlpack::kExchangeMinorVersion},
                                     nullptr,
                                     allocate_tensor,
                                     tensor_from_object,
                                     object_from_tensor,
                                     view_of_object,
                                     current_stream};
  return nb::capsule(&table, dlpack::kExchangeName);
}

}  // namespace hither::python
