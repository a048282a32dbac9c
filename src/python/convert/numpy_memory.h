// Shared USM as the memory of NumPy arrays, by NumPy's handlers of data memory (NEP 49): whatever
// NumPy allocates while a handler of ours is in force lies in USM, and is freed through it.
#pragma once

#include <optional>

#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Loads NumPy's C API; once, before the others.
void load_numpy();

/// The queue for which the memory of a NumPy array was allocated: by the handler, or by the object
/// with __sycl_usm_array_interface__ that its bases end in. Nothing for plain host memory.
std::optional<Queue> queue_of_numpy_array(PyObject* array);

/// function(*arguments, **keywords), while which NumPy allocates shared USM of `queue`. Needs the
/// GIL; belongs to the thread or task that calls.
nb::object call_in_usm(const Queue& queue, nb::handle function, nb::handle arguments,
                       nb::handle keywords);

/// Moves the data of an array that owns them into shared USM of `queue`; for
/// __array_finalize__, before anybody has seen the address. Leaves views, what is in USM already,
/// and arrays of Python objects as they are.
void move_to_usm(PyObject* array, const Queue& queue);

/// A method descriptor for __getitem__ of a subclass of numpy.ndarray: numpy.ndarray's own, but
/// what indexing by arrays copies lies in USM of the array's queue.
nb::object make_getitem();

/// An array of `type` (a subclass of numpy.ndarray) in place of an exact numpy.ndarray that lies in
/// USM: it takes over the ownership, and the given array becomes a view of it. `like` is what
/// __array_finalize__ is told. A subclass's view of a numpy.ndarray that nobody else has becomes
/// its owner. Anything else is returned as it is; plain arrays of Python objects leave USM.
nb::object adopt(nb::handle array, PyTypeObject* type, nb::handle like);

}  // namespace hither::python
