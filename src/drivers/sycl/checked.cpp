#include "drivers/sycl/checked.h"

#include "error/current_error.h"

namespace hither::drivers::sycl {
namespace {

ErrorKind kind_of(const std::error_code& code) {
  if (code.category() != ::sycl::sycl_category()) return ErrorKind::kDevice;
  switch (static_cast<::sycl::errc>(code.value())) {
    case ::sycl::errc::memory_allocation:
      return ErrorKind::kMemory;
    case ::sycl::errc::feature_not_supported:
    case ::sycl::errc::kernel_not_supported:
      return ErrorKind::kUnsupported;
    case ::sycl::errc::build:
      return ErrorKind::kCompile;
    default:
      return ErrorKind::kDevice;
  }
}

}  // namespace

Error error_of(const ::sycl::exception& exception, const char* where) {
  const int32_t native = ::sycl::detail::get_ur_error(exception);
  return Error(kind_of(exception.code()), where, exception.what(),
               native != 0 ? native : exception.code().value());
}

Error current_error(const char* where) {
  try {
    throw;
  } catch (const ::sycl::exception& exception) {
    return error_of(exception, where);
  } catch (...) {
    return error::current_error(where);
  }
}

}  // namespace hither::drivers::sycl
