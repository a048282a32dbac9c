// The extension module: a list of its parts.
#include <cstdlib>

#include <hither/version.h>

#include <hither/error.h>

#include "process/before_blocking.h"
#include "process/exit_gate.h"
#include "python/bind/bindings.h"
#include "python/interpreter/fork.h"
#include "python/interpreter/release_gil.h"
#include "python/interpreter/sharded_call.h"

/// Registers an exit handler when the interpreter exits, which the process mostly does next. Exit
/// handlers run in the reverse order of their registration, so that this one runs before those of
/// device compilers.
static void close_first() { std::atexit(&hither::process::InsideLibrary::close); }

/// Functions bound by nanobind that also take sharded arrays. All element-wise functions do; see
/// python/hither/_sharded/functions.py.
constexpr const char* kTakeSharded[] = {"sum",
                                        "prod",
                                        "max",
                                        "min",
                                        "mean",
                                        "var",
                                        "std",
                                        "any",
                                        "all",
                                        "argmax",
                                        "argmin",
                                        "count_nonzero",
                                        "sort",
                                        "argsort",
                                        "cumulative_sum",
                                        "cumulative_prod",
                                        "flip",
                                        "roll",
                                        "diff",
                                        "take",
                                        "repeat",
                                        "matmul",
                                        "astype",
                                        "clip",
                                        "asnumpy",
                                        "copy",
                                        "zeros_like",
                                        "ones_like",
                                        "empty_like",
                                        "full_like"};

NB_MODULE(_hither, m) {
  m.doc() = "hither's C++ core. Private: import hither instead.";
  m.attr("version") = hither::version();
  namespace python = hither::python;
  python::bind_error(m);
  // Objects that a program keeps until it exits are not leaks.
  nanobind::set_leak_warnings(false);
  if (Py_AtExit(close_first) != 0)
    throw hither::Error(hither::ErrorKind::kDevice, "hither",
                        "Py_AtExit cannot register another function");
  python::bind_dtype(m);
  python::bind_device(m);
  python::bind_context(m);
  python::bind_event(m);
  python::bind_queue(m);
  python::bind_memory(m);
  python::bind_context_stack(m);
  python::bind_usm_interface(m);
  python::bind_counters(m);
  python::bind_disk_cache(m);
  python::bind_eager(m);
  python::bind_fault(m);
  python::bind_interruption(m);
  python::wait_for_threads_before_fork();
  hither::process::on_blocking = python::ReleaseGil::release_before_blocking;
  python::bind_spirv_emitter(m);
  python::bind_array_flags(m);
  python::bind_array_type(m);
  python::bind_array_methods(m);
  python::bind_array_functions(m);
  python::bind_direct_call(m);
  python::bind_recording(m);
  python::bind_array_creation(m);
  python::bind_array_manipulation(m);
  python::bind_range(m);
  python::bind_local_accessor(m);
  python::bind_kernel(m);
  python::bind_array_index(m);
  python::bind_array_reduction(m);
  python::bind_array_scan(m);
  python::bind_array_sort(m);
  python::bind_array_joining(m);
  python::bind_array_linalg(m);
  python::bind_kernel_history(m);
  python::bind_profile(m);
  python::bind_user_op(m);
  python::bind_offload(m);
  python::bind_numpy_memory(m);
  python::bind_c_api(m);
  for (const char* name : kTakeSharded) python::take_sharded(m.attr(name));
}
