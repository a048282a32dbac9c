// Arrays made from objects of others: NumPy, the buffer protocol, SUAI, DLPack.
#pragma once

#include <optional>

#include <hither/array.h>

#include "python/convert/array_object.h"

namespace hither::python {

/// A copy of host memory (NumPy array or buffer protocol); big-endian input is converted. Error
/// kType for dtypes that arrays cannot hold.
Array import_host_array(nb::handle object, const Allocate& where);
/// The same memory; read-only when the source is. Error kValue when the queue's device cannot reach
/// host memory, or the layout (byte order, alignment, strides) cannot be used in place.
Array alias_host_array(nb::handle object, const Allocate& where);
/// The memory of an object that is_foreign_usm_array(), zero-copy.
Array import_usm_array(nb::handle object);
/// The memory of an object with __dlpack__, zero-copy; `copy` as in the Array API.
Array import_dlpack(nb::handle object, const std::optional<Queue>& queue, std::optional<bool> copy);

/// Error kValue: copy=False cannot be held.
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
