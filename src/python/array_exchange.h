// Arrays for others.
#pragma once

#include <hither/array.h>

#include "python/array_object.h"

namespace hither::python {

/// x.__dlpack__: a capsule that shares x's memory, or a copy's; the host waits for pending work, or
/// the CUDA stream does. Versioned when max_version is (1, 0) or later. Error kBuffer when
/// dl_device cannot be reached, or x is read-only and the capsule cannot say so.
nb::object export_dlpack(const Array& x, nb::handle stream, nb::handle max_version,
                         nb::handle dl_device, nb::handle copy);
/// x.__dlpack_device__: (kDLCPU, 0), or one of CUDA's types and the device's number.
nb::tuple dlpack_device(const Array& x);

/// A new NumPy array with x's elements, from anywhere; waits.
nb::object to_numpy(const Array& x);

}  // namespace hither::python
