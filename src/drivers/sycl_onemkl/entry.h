// C functions of libhither_onemkl.so, which hither._libraries.onemkl calls by ctypes. They take a
// sycl::queue* and addresses of USM that the queue can access. Each submits its work to the queue,
// in order, and returns. LAPACK's functions may wait, because oneMKL waits to learn the outcome; on
// out-of-order queues of CPUs all may wait.
#pragma once

#include <complex>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <hither/export.h>
#include <sycl/sycl.hpp>

#include "drivers/sycl/fence.h"
#include "drivers/sycl/resting_queues.h"
#include "drivers/sycl/wait.h"
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
inline Events all_of(::sycl::queue& queue) { return {sycl::all_so_far(queue)}; }

/// What is submitted from now on comes after these, which need not be the queue's own. On CPUs they
/// are host tasks, which share SYCL's few threads with dpctl's that take the GIL. Nothing in an
/// out-of-order queue, where the order is the device's, is to wait for those: this thread does.
inline void come_after(::sycl::queue& queue, Events events) {
  if (sycl::is_fenced_by_opencl(queue))
    std::erase_if(events, [](::sycl::event& event) {
      if (sycl::is_at_device(event)) return false;
      sycl::wait_for(event, true);
      return true;
    });
  sycl::let_wait(queue, events);
}

/// Keeps a queue of the plugin's own that goes.
inline void rest(const ::sycl::queue& queue) {
  static std::mutex mutex;
  static sycl::RestingQueues& resting = *new sycl::RestingQueues;
  std::lock_guard lock(mutex);
  resting.sweep();
  resting.add(queue);
}

inline ::sycl::queue& queue_at(void* queue) noexcept { return *static_cast<::sycl::queue*>(queue); }

}  // namespace hither::drivers::sycl_onemkl
