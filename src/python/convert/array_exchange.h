// Arrays for others.
#pragma once

#include <hither/array.h>

#include "python/convert/array_object.h"
#include "python/convert/dlpack.h"

namespace hither::python {

/// x.__dlpack__: a capsule that shares x's memory, or a copy's; the host waits for pending work, or
/// the CUDA stream does. Versioned when max_version is (1, 0) or later. Error kBuffer when
/// dl_device cannot be reached, or x is read-only and the capsule cannot say so.
nb::object export_dlpack(const Array& x, nb::handle stream, nb::handle max_version,
                         nb::handle dl_device, nb::handle copy);
/// x.__dlpack_device__: (kDLCPU, 0), or one of CUDA's types and the device's number.
nb::tuple dlpack_device(const Array& x);

// What DLPack's table of C functions does, in order with CUDA's legacy default stream. Errors as
// those of Python's protocol.

/// A tensor that shares x's memory, for the caller to delete; on CPUs after pending work.
dlpack::ManagedTensorVersioned* export_dlpack_tensor(const Array& x);
/// The same without ownership: valid while x is.
dlpack::Tensor view_dlpack_tensor(const Array& x);
/// An array over the tensor, which is taken also when this throws.
Array adopt_dlpack_tensor(dlpack::ManagedTensorVersioned* tensor);
/// Uninitialised, with the shape, dtype and device of `like`.
Array empty_like_dlpack(const dlpack::Tensor& like);
/// The capsule with that table, for the type's __dlpack_c_exchange_api__.
nb::object dlpack_exchange_capsule();

/// The buffer protocol: the slots of hither.Array.
extern const PyType_Slot array_buffer_slots[];

/// A new NumPy array with x's elements, from anywhere; waits.
nb::object to_numpy(const Array& x);
/// Imports what to_numpy() needs. Called once, first.
void load_numpy_empty();

}  // namespace hither::python
