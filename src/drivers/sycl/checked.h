// Translation of SYCL's exceptions to Error.
#pragma once

#include <utility>

#include <hither/error.h>
#include <sycl/sycl.hpp>

#include "process/exit_gate.h"

namespace hither::drivers::sycl {

/// The kind follows SYCL's error code; the message is SYCL's; native_code is the status of the back
/// end if there is one.
Error error_of(const ::sycl::exception& exception, const char* where);

/// The exception that is being handled in a catch block, as an Error.
Error current_error(const char* where);

/// Calls `call` inside SYCL's runtime (InsideLibrary) and translates SYCL's exceptions to Error.
template <class Call>
auto checked(const char* where, Call&& call) {
  const process::InsideLibrary inside;
  try {
    return std::forward<Call>(call)();
  } catch (const ::sycl::exception& exception) {
    throw error_of(exception, where);
  }
}

}  // namespace hither::drivers::sycl
