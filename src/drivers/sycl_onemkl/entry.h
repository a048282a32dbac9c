// What libhither_onemkl.so offers beside its BLAS: C functions, which hither.onemkl calls by ctypes
// with a sycl::queue* and addresses of USM that it reaches. Each puts its work into the queue after
// what is there, in order, and returns; LAPACK's may wait, as oneMKL does to know how it ended.
#pragma once

#include <complex>
#include <string>
#include <utility>
#include <vector>

#include <hither/export.h>
#include <sycl/sycl.hpp>

#include "runtime/exit_gate.h"

namespace hither::drivers::sycl_onemkl {

enum Status : int { kDone = 0, kFailed = 1 };

/// The calling thread's last failure, for hither_onemkl_message().
std::string& message() noexcept;

/// kDone, or kFailed with message() set.
template <class Call>
int guarded(Call&& call) noexcept {
  const runtime::InsideRuntime inside;
  try {
    std::forward<Call>(call)();
    return kDone;
  } catch (const std::exception& error) {
    message() = error.what();
  } catch (...) {
    message() = "an exception of no known type";
  }
  return kFailed;
}

/// Calls `call(Number())` for NumPy's character of a floating or complex dtype.
template <class Call>
void with_type(char type, Call&& call) {
  switch (type) {
    case 'f':
      return call(float());
    case 'd':
      return call(double());
    case 'F':
      return call(std::complex<float>());
    case 'D':
      return call(std::complex<double>());
    default:
      throw std::invalid_argument(std::string("oneMKL has no numbers of type ") + type);
  }
}

using Events = std::vector<::sycl::event>;

/// What a call comes after. On CPUs oneMKL heeds the events that it is given and not the order of
/// an in-order queue.
inline Events all_of(::sycl::queue& queue) { return {queue.ext_oneapi_submit_barrier()}; }

/// What is submitted from now on comes after these, which need not be the queue's own.
inline void come_after(::sycl::queue& queue, const Events& events) {
  if (!events.empty()) queue.ext_oneapi_submit_barrier(events);
}

inline ::sycl::queue& queue_at(void* queue) noexcept { return *static_cast<::sycl::queue*>(queue); }

}  // namespace hither::drivers::sycl_onemkl
