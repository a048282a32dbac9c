// __cuda_array_interface__, version 3, and the streams that it and DLPack name by numbers.
// https://numba.readthedocs.io/en/stable/cuda/cuda_array_interface.html
#pragma once

#include <optional>

#include <hither/array.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

inline constexpr const char* kCudaInterfaceName = "__cuda_array_interface__";

/// The consumer's stream. Null is CUDA's legacy default stream. If it is empty, the consumer
/// orders nothing, and the host waits.
using CudaStream = std::optional<void*>;

/// `stream` of __dlpack__: None and 1 (the legacy default stream), 2 (the per-thread default
/// stream), -1 (the host waits), or an address; 0 is refused as ambiguous. Arrays of other back
/// ends have no streams: only None and -1 are valid for them.
CudaStream cuda_stream_argument(nb::handle stream, bool on_cuda);
/// The address of x's first element for work in that stream.
void* lend(const Array& x, CudaStream stream);

/// Whether the process has a CUDA device and the object has __cuda_array_interface__.
bool is_foreign_cuda_array(PyObject* object);
/// An array over the memory of such an object, on the default queue of its device. DLPack is used
/// if the object has it too, because it states the stream. Fields that are missing, ill-typed or
/// inconsistent are Errors that name the field.
Array import_cuda_array(nb::handle object);
/// x.__cuda_array_interface__, after making the legacy default stream wait for pending work.
nb::dict make_cuda_interface(const Array& x);

}  // namespace hither::python
