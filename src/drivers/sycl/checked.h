// SYCL's exceptions as ours.
#pragma once

#include <utility>

#include <hither/error.h>
#include <sycl/sycl.hpp>

#include "runtime/exit_gate.h"

namespace hither::drivers::sycl {

/// The kind by SYCL's code, the message SYCL's own, native_code the back end's status where it has
/// one.
Error error_of(const ::sycl::exception& exception, const char* where);

/// The exception that a catch block has caught: SYCL's or any other.
Error current_error(const char* where);

/// Calls `call` inside SYCL's runtime; what SYCL throws becomes an Error of ours.
template <class Call>
auto checked(const char* where, Call&& call) {
  const runtime::InsideRuntime inside;
  try {
    return std::forward<Call>(call)();
  } catch (const ::sycl::exception& exception) {
    throw error_of(exception, where);
  }
}

}  // namespace hither::drivers::sycl
