// Shared USM for NumPy arrays, by memory handlers (NEP 49). While one of these handlers is active,
// NumPy allocates array data in USM, and it frees the data through the same handler.
#pragma once

#include <optional>

#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Loads NumPy's C API. Called once, before the other functions.
void load_numpy();

/// The queue for which a NumPy array's memory was allocated: by a handler, or by the object with
/// __sycl_usm_array_interface__ at the end of the array's chain of bases. Nothing for plain host
/// memory.
std::optional<Queue> queue_of_numpy_array(PyObject* array);

/// Calls function(*arguments, **keywords), with NumPy allocating in shared USM of `queue`. Needs
/// the GIL. Other threads and tasks are not affected.
nb::object call_in_usm(const Queue& queue, nb::handle function, nb::handle arguments,
                       nb::handle keywords);

/// Moves the data of an array that owns them into shared USM of `queue`. For __array_finalize__,
/// when no other code has the address yet. Views, arrays in USM and arrays of Python objects are
/// left unchanged.
void move_to_usm(PyObject* array, const Queue& queue);

/// A method descriptor for __getitem__ of a subclass of numpy.ndarray. It behaves as
/// numpy.ndarray's, but the copies that indexing by arrays makes are in USM of the array's queue.
nb::object make_getitem();

/// Replaces an exact numpy.ndarray in USM by an array of `type`, a subclass of numpy.ndarray: the
/// new array takes over the ownership, and the given array becomes a view of it. `like` is passed
/// to __array_finalize__. A view of a subclass takes over the ownership from a numpy.ndarray that
/// has no other reference. Other objects are returned unchanged, except that a plain array of
/// Python objects is moved out of USM.
nb::object adopt(nb::handle array, PyTypeObject* type, nb::handle like);

}  // namespace hither::python
