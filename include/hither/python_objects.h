// hither's objects in extension modules of Python that are written in C++ and link libhither.
// <hither/nanobind.h> and <hither/pybind11.h> are made of this.
#pragma once

#include <hither/c_api.h>

#include <cstring>
#include <optional>
#include <string>

#include <hither/array.h>
#include <hither/error.h>
#include <hither/version.h>

namespace hither {

/// For the module function, before anything else here. False with ImportError set when there is no
/// hither, when it is not of these headers' version, or has loaded another libhither than the one
/// that this extension is linked to. Needs the GIL.
inline bool import_hither() noexcept {
  if (hither_import() != 0) return false;
  const std::size_t length = std::strlen(HITHER_HEADERS_VERSION);
  const char* loaded = hither_api->library_version;
  if (std::strncmp(loaded, HITHER_HEADERS_VERSION, length) != 0 || loaded[length] != '.') {
    PyErr_Format(PyExc_ImportError,
                 "this extension was built with hither %s, and %s is installed: C++ needs the same "
                 "version; build the extension again",
                 HITHER_HEADERS_VERSION, loaded);
    return false;
  }
  if (loaded != version()) {
    PyErr_SetString(PyExc_ImportError,
                    "this extension has loaded a libhither of its own beside that of the package "
                    "hither: link it to the package's (python -m hither --cmake-dir), and import "
                    "hither first");
    return false;
  }
  return true;
}

/// How objects of a class cross: the functions of the C API, whose handles point to that class.
template <typename T>
struct Crossing;

#define HITHER_CROSSING(Type, noun)                                  \
  template <>                                                        \
  struct Crossing<Type> {                                            \
    using Handle = hither_##noun;                                    \
    static constexpr char kName[] = "hither." #Type;                 \
    static constexpr auto kFrom = &hither_table::noun##_from_object; \
    static constexpr auto kTo = &hither_table::noun##_to_object;     \
    static constexpr auto kRelease = &hither_table::noun##_release;  \
  }
HITHER_CROSSING(Device, device);
HITHER_CROSSING(Context, context);
HITHER_CROSSING(Queue, queue);
HITHER_CROSSING(Event, event);
HITHER_CROSSING(Memory, memory);
HITHER_CROSSING(Array, array);
#undef HITHER_CROSSING

/// The classes whose objects cross.
template <typename T>
concept Crosses = requires { Crossing<T>::kName; };

/// The object behind Python's: a Queue also from a device or a filter string, and from None the
/// current one; an Array from anything with __sycl_usm_array_interface__, in place. Nothing when it
/// is none; then hither_api->error_message() says why. Needs the GIL.
template <typename T>
std::optional<T> from_object(PyObject* object) noexcept {
  typename Crossing<T>::Handle* handle = nullptr;
  if ((hither_api->*Crossing<T>::kFrom)(object, &handle) != HITHER_OK) {
    PyErr_Clear();
    return std::nullopt;
  }
  std::optional<T> found(*reinterpret_cast<const T*>(handle));
  (hither_api->*Crossing<T>::kRelease)(handle);
  return found;
}

/// A new reference to a Python object that shares it; null with an exception set when memory is
/// exhausted. Needs the GIL.
template <typename T>
PyObject* to_object(const T& object) noexcept {
  return (hither_api->*Crossing<T>::kTo)(
      reinterpret_cast<const typename Crossing<T>::Handle*>(&object));
}

/// Sets the exception of hither.errors for an Error. Needs the GIL.
inline void set_python_error(const Error& error) noexcept {
  hither_api->raise_new(static_cast<hither_status>(error.kind()) + 1, error.where().c_str(),
                        error.message().c_str());
}

}  // namespace hither
