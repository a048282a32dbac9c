// Import of other libraries' arrays: NumPy, the buffer protocol, SUAI, CUDA, DLPack.
#pragma once

#include <optional>

#include <hither/array.h>

#include "python/convert/array_object.h"

namespace hither::python {

/// A copy of host memory (NumPy array or buffer protocol); big-endian input is converted. Error
/// kType for dtypes that arrays cannot hold. `carrier` as for from_host().
Array import_host_array(nb::handle object, const Allocate& where, const Queue* carrier = nullptr);
/// An array over the same memory, read-only if the source is. Error kValue if the queue's device
/// cannot access host memory, or if the byte order, alignment or strides prevent use in place.
Array alias_host_array(nb::handle object, const Allocate& where);
/// An array over the memory of an object that is_foreign_usm_array().
Array import_usm_array(nb::handle object);
/// An array over the memory of an object with __dlpack__; `copy` as in the Array API.
Array import_dlpack(nb::handle object, const std::optional<Queue>& queue, std::optional<bool> copy);

/// Throws Error kValue: copy=False cannot be honoured.
[[noreturn]] void refuse_copy(const char* why);

/// hither.asarray: `dtype` may be None, `copy` as in the Array API.
struct ImportRequest {
  std::optional<DType> dtype;
  std::optional<bool> copy;
  std::optional<Queue> queue;  ///< explicit: queue=, sycl_queue=, device=
  std::optional<UsmType> usm_type;
};
Array import_any(nb::handle object, const ImportRequest& request);

}  // namespace hither::python
