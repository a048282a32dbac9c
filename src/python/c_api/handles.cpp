#include "python/c_api/handles.h"

#include <optional>

#include <fmt/format.h>

#include "python/interpreter/raise_error.h"

namespace hither::python::c_api {
namespace {

constexpr const char* kCApi = "hither's C API";

thread_local std::optional<Error> last_error;

static_assert(HITHER_VALUE_ERROR == static_cast<int>(ErrorKind::kValue) + 1);
static_assert(HITHER_TYPE_ERROR == static_cast<int>(ErrorKind::kType) + 1);
static_assert(HITHER_INDEX_ERROR == static_cast<int>(ErrorKind::kIndex) + 1);
static_assert(HITHER_OVERFLOW_ERROR == static_cast<int>(ErrorKind::kOverflow) + 1);
static_assert(HITHER_PLACEMENT_ERROR == static_cast<int>(ErrorKind::kPlacement) + 1);
static_assert(HITHER_MEMORY_ERROR == static_cast<int>(ErrorKind::kMemory) + 1);
static_assert(HITHER_BUFFER_ERROR == static_cast<int>(ErrorKind::kBuffer) + 1);
static_assert(HITHER_DEVICE_ERROR == static_cast<int>(ErrorKind::kDevice) + 1);
static_assert(HITHER_COMPILE_ERROR == static_cast<int>(ErrorKind::kCompile) + 1);
static_assert(HITHER_KERNEL_ERROR == static_cast<int>(ErrorKind::kKernel) + 1);
static_assert(HITHER_UNSUPPORTED_ERROR == static_cast<int>(ErrorKind::kUnsupported) + 1);

static_assert(HITHER_BOOL == static_cast<int>(DType::kBool));
static_assert(HITHER_INT64 == static_cast<int>(DType::kInt64));
static_assert(HITHER_UINT64 == static_cast<int>(DType::kUInt64));
static_assert(HITHER_FLOAT16 == static_cast<int>(DType::kFloat16));
static_assert(HITHER_COMPLEX128 == static_cast<int>(DType::kComplex128));
static_assert(HITHER_BFLOAT16 == static_cast<int>(DType::kBFloat16));
static_assert(HITHER_FLOAT8_E5M2 + 1 == kDTypeCount);
static_assert(HITHER_USM_DEVICE == static_cast<int>(UsmType::kDevice));
static_assert(HITHER_USM_HOST == static_cast<int>(UsmType::kHost));
static_assert(HITHER_MAX_NDIM <= kMaxRank);

// HITHER_PYTHON_ERROR has the number between the other kinds and HITHER_INTERNAL_ERROR.
hither_status status_of_kind(ErrorKind kind) noexcept {
  return kind == ErrorKind::kInternal ? HITHER_INTERNAL_ERROR
                                      : static_cast<hither_status>(kind) + 1;
}

hither_status keep_last(const Error& error) noexcept {
  last_error = error;
  return status_of_kind(error.kind());
}

hither_status keep_python_error(const char* message) noexcept {
  try {
    last_error = Error(ErrorKind::kValue, "Python", std::string(without_line_break(message)));
  } catch (const std::bad_alloc&) {
    last_error.reset();
  }
  return HITHER_PYTHON_ERROR;
}

}  // namespace

void refuse_null(const char* what) {
  throw Error(ErrorKind::kValue, kCApi, fmt::format("{} is NULL", what));
}

hither_status keep_error() noexcept {
  try {
    throw;
  } catch (nb::python_error& error) {
    const hither_status status = keep_python_error(error.what());
    error.restore();
    return status;
  } catch (const nb::builtin_exception& error) {
    const hither_status status = keep_python_error(error.what());
    set_python_error();
    return status;
  } catch (const Error& error) {
    error.mark_reported();
    return keep_last(error);
  } catch (const std::bad_alloc&) {
    return keep_last(Error(ErrorKind::kMemory, kCApi, "the host's memory is exhausted"));
  } catch (const std::exception& error) {
    return keep_last(Error(ErrorKind::kDevice, kCApi, error.what()));
  }
}

const char* error_message() noexcept { return last_error ? last_error->what() : ""; }

PyObject* raise_status(hither_status status) noexcept {
  if (status == HITHER_PYTHON_ERROR && PyErr_Occurred()) return nullptr;
  if (last_error && status_of_kind(last_error->kind()) == status) {
    raise_error(*last_error);
  } else {
    PyErr_Format(PyExc_SystemError, "status %d is not the status of this thread's last error",
                 static_cast<int>(status));
  }
  return nullptr;
}

PyObject* raise_new(hither_status status, const char* where, const char* message) noexcept {
  const bool known = status >= HITHER_VALUE_ERROR && status <= HITHER_UNSUPPORTED_ERROR;
  (void)status_of([&] {
    throw Error(known ? static_cast<ErrorKind>(status - 1) : ErrorKind::kValue, where ? where : "",
                message ? message : "");
  });
  return raise_status(status_of_kind(last_error->kind()));
}

DType dtype_of(hither_dtype dtype) {
  if (dtype >= 0 && dtype < kDTypeCount) return static_cast<DType>(dtype);
  throw Error(ErrorKind::kType, kCApi, fmt::format("{} is not a hither_dtype", dtype));
}

UsmType usm_type_of(hither_usm_type type) {
  if (type >= HITHER_USM_DEVICE && type <= HITHER_USM_HOST) return static_cast<UsmType>(type);
  throw Error(ErrorKind::kType, kCApi, fmt::format("{} is not a hither_usm_type", type));
}

Dims dims_of(int32_t ndim, const int64_t* values, const char* what) {
  if (ndim < 0 || ndim > kMaxRank)
    throw Error(ErrorKind::kValue, kCApi,
                fmt::format("ndim is {}; an array has 0 to {} dimensions", ndim, kMaxRank));
  if (ndim == 0) return {};
  if (!values) refuse_null(what);
  return Dims(std::span(values, static_cast<size_t>(ndim)));
}

void require_room(int32_t ndim) {
  if (ndim > HITHER_MAX_NDIM)
    throw Error(
        ErrorKind::kUnsupported, kCApi,
        fmt::format("ndim is {}; a hither_view has room for {} dimensions", ndim, HITHER_MAX_NDIM));
}

std::vector<Event> events_of(const hither_event* const* events, size_t count) {
  std::vector<Event> found;
  if (count > 0 && !events) refuse_null("depends_on");
  for (size_t i = 0; i < count; ++i) found.push_back(of(events[i]));
  return found;
}

}  // namespace hither::python::c_api
