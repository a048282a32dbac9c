// Export of arrays to other libraries.
#pragma once

#include <hither/array.h>

#include "python/convert/array_object.h"
#include "python/convert/dlpack.h"

namespace hither::python {

/// x.__dlpack__: a capsule over x's memory, or over that of a copy. The host or the consumer's CUDA
/// stream waits for pending work. The capsule is versioned if max_version is (1, 0) or later. Error
/// kBuffer if dl_device is not supported, or if x is read-only and the capsule is not versioned.
nb::object export_dlpack(const Array& x, nb::handle stream, nb::handle max_version,
                         nb::handle dl_device, nb::handle copy);
/// x.__dlpack_device__: (kDLCPU, 0), or one of CUDA's types and the device's number.
nb::tuple dlpack_device(const Array& x);

// The functions of DLPack's C exchange API. They order work with CUDA's legacy default stream.
// Their errors are those of the Python protocol.

/// A tensor over x's memory, which the caller deletes. On CPUs it waits for pending work.
dlpack::ManagedTensorVersioned* export_dlpack_tensor(const Array& x);
/// The same without ownership: valid as long as x.
dlpack::Tensor view_dlpack_tensor(const Array& x);
/// An array over the tensor. Takes ownership of the tensor, also when it throws.
Array adopt_dlpack_tensor(dlpack::ManagedTensorVersioned* tensor);
/// An uninitialised array with the shape, dtype and device of `like`.
Array empty_like_dlpack(const dlpack::Tensor& like);
/// The capsule with the table of these functions, for the type's __dlpack_c_exchange_api__.
nb::object dlpack_exchange_capsule();

/// The buffer protocol: the slots of hither.Array.
extern const PyType_Slot array_buffer_slots[];

/// A new NumPy array with x's elements, whatever x's device. Waits for x.
nb::object to_numpy(const Array& x);
/// Writes the elements into `out`, a NumPy array of x's shape and dtype in C order.
void to_numpy(const Array& x, nb::handle out);
/// The same, without waiting. `out` is kept until the event is complete.
Event start_to_numpy(const Array& x, nb::handle out);
/// A NumPy array of exchanged_as(dtype), seen as elements of the dtype.
nb::object with_dtype(nb::object array, DType dtype);
/// A view of x's memory as elements of another dtype of the same size. Waits for x.
Array view_as(const Array& x, DType dtype);
/// Imports numpy.empty for to_numpy(). Called once, first.
void load_numpy_empty();

}  // namespace hither::python
