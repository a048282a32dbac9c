// Methods of hither.Array, and functions that act on arrays as a whole.
#include <vector>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/array_argument.h"
#include "python/convert/array_exchange.h"
#include "python/convert/array_import.h"
#include "python/convert/array_scalar.h"
#include "python/convert/current_queue.h"
#include "python/convert/dtype_argument.h"

namespace hither::python {
namespace {

std::vector<Array> arrays_of(const nb::args& arguments, const char* where) {
  std::vector<Array> arrays;
  for (nb::handle argument : arguments) {
    if (!is_array(argument.ptr())) {
      throw Error(ErrorKind::kType, where, "takes arrays, not " + a_type(argument.ptr()));
    }
    arrays.push_back(array_of(argument.ptr()));
  }
  return arrays;
}

int64_t elements(const std::vector<Array>& arrays) {
  int64_t count = 0;
  for (const Array& x : arrays) count += x.size();
  return count;
}

std::string explain_one(nb::handle object) {
  if (!is_array(object.ptr())) {
    throw Error(ErrorKind::kType, "explain", "takes an array, not " + a_type(object.ptr()));
  }
  return unlocked([&] { return explain(array_of(object.ptr())); });
}

Event unlocked_event(const Array& x) {
  ReleaseGil unlocked(x.size());
  return x.evaluate();
}

void evaluate_one(const Array& x) {
  ReleaseGil unlocked(x.size());
  (void)x.evaluate();
}

void synchronize_one(const Array& x) {
  ReleaseGil unlocked(x.size());
  x.synchronize();
}

void evaluate_all(const nb::args& arguments) {
  const std::vector<Array> arrays = arrays_of(arguments, "evaluate");
  ReleaseGil unlocked(elements(arrays));
  evaluate(arrays);
}

void synchronize_all(const nb::args& arguments) {
  const std::vector<Array> arrays = arrays_of(arguments, "synchronize");
  ReleaseGil unlocked(elements(arrays));
  evaluate(arrays);
  for (const Array& x : arrays) x.synchronize();
}

nb::object asnumpy_into(const Array& x, nb::handle out, bool wait) {
  if (!wait) return nb::cast(start_to_numpy(x, out));
  to_numpy(x, out);
  return nb::borrow(out);
}

nb::object asnumpy(nb::handle object, nb::handle out, bool wait) {
  const bool is_known = is_array(object.ptr()) || is_foreign_usm_array(object.ptr());
  if (out.is_none()) {
    if (!wait)
      throw Error(ErrorKind::kValue, "asnumpy",
                  "wait=False needs out=, the NumPy array that the copy writes");
    if (is_array(object.ptr())) return to_numpy(array_of(object.ptr()));
    if (is_known) return to_numpy(import_usm_array(object));
    return nb::module_::import_("numpy").attr("asarray")(object);
  }
  if (!is_known)
    throw Error(ErrorKind::kType, "asnumpy",
                fmt::format("x is {}, and out= needs a hither.Array; call asnumpy(x) without it",
                            a_type(object.ptr())));
  if (is_array(object.ptr())) return asnumpy_into(array_of(object.ptr()), out, wait);
  return asnumpy_into(import_usm_array(object), out, wait);
}

// The address of the first element, and an object that keeps the elements there and unchanged.
nb::tuple borrowed_host_data(const Array& x, bool own) {
  std::shared_ptr<void> data;
  {
    ReleaseGil unlocked(x.size());
    data = x.borrowed_host_data(own);
  }
  const auto address = reinterpret_cast<uintptr_t>(data.get());
  auto kept = std::make_unique<std::shared_ptr<void>>(std::move(data));
  nb::capsule owner(kept.get(),
                    [](void* p) noexcept { delete static_cast<std::shared_ptr<void>*>(p); });
  (void)kept.release();
  return nb::make_tuple(address, std::move(owner));
}

Array moved(const Array& x, nb::handle target, nb::handle usm_type, std::optional<bool> copy,
            const char* where) {
  nb::object self = nb::steal(wrap(x));
  ImportRequest request{.copy = copy, .queue = resolve_queue(target, where)};
  if (!usm_type.is_none()) request.usm_type = to_usm_type(usm_type);
  return import_any(self, request);
}

Array to_device(const Array& x, nb::handle device, nb::handle stream) {
  if (!stream.is_none()) {
    throw Error(ErrorKind::kValue, "to_device",
                "stream is not supported; pass a queue as the device");
  }
  return moved(x, device, nb::none(), std::nullopt, "device");
}

Array copy_to(const Array& x, nb::handle target, nb::handle usm_type) {
  return moved(x, target, usm_type, true, "target");
}

Array collocate(const Array& x, nb::handle other) {
  if (!is_array(other.ptr()) && !is_foreign_usm_array(other.ptr())) {
    throw Error(ErrorKind::kType, "collocate",
                fmt::format("other is {}, which has no queue; pass an array, or use "
                            "x.to_device(queue)",
                            a_type(other.ptr())));
  }
  const Queue queue =
      is_array(other.ptr()) ? array_of(other.ptr()).queue() : import_usm_array(other).queue();
  return unlocked([&] { return to_queue(x, {queue, x.usm_type()}); });
}

// NumPy calls __array__ if the buffer protocol fails, as it does for USM that the host cannot
// access.
nb::object to_numpy_protocol(const Array& x, nb::handle dtype, std::optional<bool> copy) {
  nb::object array;
  if (copy == true) {
    array = to_numpy(x);
  } else {
    {
      ReleaseGil unlocked(x.size());
      (void)x.host_data();  // raises if the host cannot access the memory
    }
    const DType bits = exchanged_as(x.dtype());
    nb::object seen = nb::steal(wrap(bits == x.dtype() ? x : view_as(x, bits)));
    array = nb::module_::import_("numpy").attr("asarray")(
        nb::steal(PyMemoryView_FromObject(seen.ptr())));
    array = with_dtype(std::move(array), x.dtype());
  }
  if (dtype.is_none() || array.attr("dtype").equal(dtype)) return array;
  if (copy == false)
    throw Error(ErrorKind::kValue, "__array__", "copy=False, but the dtype differs");
  return array.attr("astype")(dtype);
}

nb::object to_complex(const Array& x) {
  if (x.ndim() != 0) {
    throw Error(ErrorKind::kType, "complex", "only 0-dimensional arrays can be converted");
  }
  return nb::borrow(reinterpret_cast<PyObject*>(&PyComplex_Type))(element_of(x));
}

nb::object array_namespace(const Array&, nb::handle version) {
  nb::module_ hither = nb::module_::import_("hither");
  if (!version.is_none()) hither.attr("check_array_api_version")(version);
  return hither;
}

template <typename Function, typename... Extra>
void method(const char* name, Function&& function, const Extra&... extra) {
  nb::handle type(reinterpret_cast<PyObject*>(array_type));
  nb::cpp_function_def(std::forward<Function>(function), nb::scope(type), nb::name(name),
                       nb::is_method(), extra...);
}

void bind_movement() {
  method("to_device", to_device, nb::arg("device"), nb::kw_only(),
         nb::arg("stream").none() = nb::none(), documentation("Array.to_device"));
  method("copy_to", copy_to, nb::arg("target").none() = nb::none(), nb::kw_only(),
         nb::arg("usm_type").none() = nb::none(), documentation("Array.copy_to"));
  method("collocate", collocate, nb::arg("other"), documentation("Array.collocate"));
  method(
      "asarray",
      [](const Array& x, nb::handle queue, nb::handle usm_type) {
        return moved(x, queue, usm_type, std::nullopt, "queue");
      },
      nb::arg("queue").none(), nb::kw_only(), nb::arg("usm_type").none() = nb::none(),
      documentation("Array.asarray"));
}

void bind_exchange() {
  method("__array__", to_numpy_protocol, nb::arg("dtype").none() = nb::none(), nb::kw_only(),
         nb::arg("copy").none() = nb::none());
  method(
      "__dlpack__", export_dlpack, nb::kw_only(), nb::arg("stream").none() = nb::none(),
      nb::arg("max_version").none() = nb::none(), nb::arg("dl_device").none() = nb::none(),
      nb::arg("copy").none() = nb::none(),
      "A DLPack capsule over the array's memory. The consumer's CUDA stream, or the host, waits\n"
      "for pending work.");
  method("__dlpack_device__", dlpack_device, "DLPack's (device type, device id).");
  method("__array_namespace__", array_namespace, nb::kw_only(),
         nb::arg("api_version").none() = nb::none());
}

}  // namespace

void bind_array_methods(nb::module_& m) {
  load_numpy_empty();
  method("item", element_of, "The element of an array of size 1, as a Python number. Waits.");
  method(
      "evaluate",
      [](const Array& x) {
        const Event event = unlocked_event(x);
        if (event.state()) return nb::cast(event);
        static const nb::object& ended = *new nb::object(nb::cast(Event()));  // all are alike
        return ended;
      },
      nb::sig("def evaluate(self) -> Event"), documentation("Array.evaluate"));
  method("synchronize", synchronize_one, documentation("Array.synchronize"));
  method("__complex__", to_complex);
  bind_movement();
  bind_exchange();
  m.def("evaluate", evaluate_one);
  m.def("synchronize", synchronize_one);
  m.def("evaluate", evaluate_all, documentation("evaluate"));
  m.def("synchronize", synchronize_all, documentation("synchronize"));
  m.def("asnumpy", asnumpy, nb::arg("x"), nb::arg("out") = nb::none(), nb::kw_only(),
        nb::arg("wait") = true, documentation("asnumpy"));
  m.def("borrowed_host_data", borrowed_host_data, nb::arg("x"), nb::arg("own"));
  m.def("note_host_work", note_host_work, nb::arg("x"), nb::arg("description"),
        "Adds to explain() that this has made x's present value on the host.");
  m.def("explain", explain_one, nb::arg("x").none(), documentation("explain"));
}

}  // namespace hither::python
