// __cuda_array_interface__, version 3, and the streams that it and DLPack name by numbers.
// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html
#pragma once

#include <optional>

#include <hither/array.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

inline constexpr const char* kCudaInterfaceName = "__cuda_array_interface__";

/// Where the taker of memory works: null is CUDA's legacy default stream, and empty a place that
/// needs no order.
using CudaStream = std::optional<void*>;

/// `stream` of __dlpack__: None and 1 (the legacy default stream), 2 (the thread's own), -1 (no
/// order), or an address; 0 is refused as ambiguous. Arrays of other back ends have no streams:
/// None and -1 alone are right there.
CudaStream cuda_stream_argument(nb::handle stream, bool on_cuda);
/// The address of x's first element for work in that stream.
void* lend(const Array& x, CudaStream stream);

/// Whether the process has a CUDA device and the object the attribute.
bool is_foreign_cuda_array(PyObject* object);
/// The memory of such an object, zero-copy, on the default queue of its device: by DLPack where the
/// object has it too, since that says what its stream is. Fields that are missing, ill-typed or at
/// odds with each other give an Error that names one.
Array import_cuda_array(nb::handle object);
/// x.__cuda_array_interface__, after making the legacy default stream wait for pending work.
nb::dict make_cuda_interface(const Array& x);

}  // namespace hither::python
