// The parts of the extension module, one noun each. module.cpp calls them in the order of their
// dependencies.
#pragma once

#include "python/interpreter/nanobind.h"

namespace hither::python {

void bind_error(nb::module_& m);
void bind_dtype(nb::module_& m);
void bind_device(nb::module_& m);
void bind_context(nb::module_& m);
void bind_event(nb::module_& m);
void bind_queue(nb::module_& m);
void bind_memory(nb::module_& m);
void bind_context_stack(nb::module_& m);
void bind_usm_interface(nb::module_& m);
void bind_counters(nb::module_& m);
void bind_disk_cache(nb::module_& m);
void bind_eager(nb::module_& m);
void bind_fault(nb::module_& m);
void bind_interruption(nb::module_& m);
void bind_spirv_emitter(nb::module_& m);
void bind_array_flags(nb::module_& m);
void bind_array_type(nb::module_& m);
void bind_array_methods(nb::module_& m);
void bind_array_functions(nb::module_& m);
void bind_direct_call(nb::module_& m);
void bind_recording(nb::module_& m);
void bind_array_creation(nb::module_& m);
void bind_array_manipulation(nb::module_& m);
void bind_range(nb::module_& m);
void bind_local_accessor(nb::module_& m);
void bind_kernel(nb::module_& m);
void bind_array_index(nb::module_& m);
void bind_array_reduction(nb::module_& m);
void bind_array_scan(nb::module_& m);
void bind_array_sort(nb::module_& m);
void bind_array_joining(nb::module_& m);
void bind_array_linalg(nb::module_& m);
void bind_kernel_history(nb::module_& m);
void bind_profile(nb::module_& m);
void bind_user_op(nb::module_& m);
void bind_offload(nb::module_& m);
void bind_numpy_memory(nb::module_& m);
void bind_c_api(nb::module_& m);

}  // namespace hither::python
