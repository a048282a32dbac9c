// NumPy arrays in USM, for hither.dparray.
#include <nanobind/stl/optional.h>

#include "python/bind/bindings.h"
#include "python/convert/current_queue.h"
#include "python/convert/numpy_memory.h"

namespace hither::python {
namespace {

// `like` if it is a queue, the queue of `like` if it is a NumPy array in USM, else the current
// queue.
Queue queue_like(nb::handle like) {
  if (nb::isinstance<Queue>(like)) return nb::cast<Queue>(like);
  if (!like.is_none()) {
    if (auto queue = queue_of_numpy_array(like.ptr())) return *queue;
  }
  return resolve_queue(nb::none());
}

nb::object adopt_as(nb::handle array, nb::handle type, nb::handle like) {
  return adopt(array, reinterpret_cast<PyTypeObject*>(type.ptr()), like);
}

}  // namespace

void bind_numpy_memory(nb::module_& m) {
  load_numpy();
  m.def(
      "queue_of_numpy_array", [](nb::handle a) { return queue_of_numpy_array(a.ptr()); },
      nb::arg("array"), "The queue whose USM holds the array's data; None for host memory.");
  m.def(
      "call_in_usm",
      [](nb::handle like, nb::handle function, const nb::tuple& arguments,
         const nb::dict& keywords) {
        return call_in_usm(queue_like(like), function, arguments, keywords);
      },
      nb::arg("like").none(), nb::arg("function"), nb::arg("arguments"), nb::arg("keywords"),
      "Calls function(*arguments, **keywords), with NumPy allocating in shared USM of the queue\n"
      "`like`, of the queue of the array `like`, or (None) of the current queue.");
  m.def(
      "move_to_usm",
      [](nb::handle array, nb::handle like) { move_to_usm(array.ptr(), queue_like(like)); },
      nb::arg("array"), nb::arg("like").none(),
      "Moves the data of an array that owns them into USM. For __array_finalize__.");
  m.attr("numpy_getitem") = make_getitem();
  m.def("adopt", adopt_as, nb::arg("array"), nb::arg("type"), nb::arg("like").none(),
        "An array of `type` that takes over, or views, the USM of the exact numpy.ndarray\n"
        "`array`. Other objects are returned unchanged.");
}

}  // namespace hither::python
