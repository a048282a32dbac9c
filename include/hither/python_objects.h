// Conversion of hither's Python objects in C++ extension modules that link libhither.
// <hither/nanobind.h> and <hither/pybind11.h> use it.
#pragma once

#include <hither/c_api.h>

#include <cstring>
#include <optional>
#include <string>

#include <hither/array.h>
#include <hither/error.h>
#include <hither/version.h>

namespace hither {

/// Call it in the module function, before the other functions of this header. Returns false with
/// ImportError set if hither is not installed, has another version than these headers, or has
/// loaded another libhither than this extension. Needs the GIL.
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
                    "this extension has loaded another libhither than the package hither: link "
                    "it to the package's (python -m hither --cmake-dir), and import "
                    "hither first");
    return false;
  }
  return true;
}

/// The conversion functions of the C API for a class; their handles point to objects of the class.
template <typename T>
struct Conversion;

#define HITHER_CONVERSION(Type, noun)                                \
  template <>                                                        \
  struct Conversion<Type> {                                          \
    using Handle = hither_##noun;                                    \
    static constexpr char kName[] = "hither." #Type;                 \
    static constexpr auto kFrom = &hither_table::noun##_from_object; \
    static constexpr auto kTo = &hither_table::noun##_to_object;     \
    static constexpr auto kRelease = &hither_table::noun##_release;  \
  }
HITHER_CONVERSION(Device, device);
HITHER_CONVERSION(Context, context);
HITHER_CONVERSION(Queue, queue);
HITHER_CONVERSION(Event, event);
HITHER_CONVERSION(Memory, memory);
HITHER_CONVERSION(Array, array);
#undef HITHER_CONVERSION

/// The classes that can be converted.
template <typename T>
concept Convertible = requires { Conversion<T>::kName; };

/// Converts a Python object. A Queue may also be given as a device, a filter string or None (the
/// current queue), an Array as any object with __sycl_usm_array_interface__, whose memory it
/// shares. Returns nothing if the conversion fails; hither_api->error_message() gives the reason.
/// Needs the GIL.
template <typename T>
std::optional<T> from_object(PyObject* object) noexcept {
  typename Conversion<T>::Handle* handle = nullptr;
  if ((hither_api->*Conversion<T>::kFrom)(object, &handle) != HITHER_OK) {
    PyErr_Clear();
    return std::nullopt;
  }
  std::optional<T> found(*reinterpret_cast<const T*>(handle));
  (hither_api->*Conversion<T>::kRelease)(handle);
  return found;
}

/// A new reference to a Python object that shares `object`; null with an exception set if memory is
/// exhausted. Needs the GIL.
template <typename T>
PyObject* to_object(const T& object) noexcept {
  return (hither_api->*Conversion<T>::kTo)(
      reinterpret_cast<const typename Conversion<T>::Handle*>(&object));
}

/// Sets the exception of hither.errors for an Error. Needs the GIL.
inline void set_python_error(const Error& error) noexcept {
  hither_api->raise_new(static_cast<hither_status>(error.kind()) + 1, error.where().c_str(),
                        error.message().c_str());
}

}  // namespace hither
