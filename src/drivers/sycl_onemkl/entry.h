// The functions of libhither_onemkl.so other than BLAS: C functions, which hither._libraries.onemkl
// calls through ctypes with a sycl::queue* and addresses of USM that the queue can access. Each
// submits its work after all earlier work of the queue and returns. LAPACK's functions may wait,
// because oneMKL waits to determine their result; on out-of-order queues of CPUs all may wait.
#pragma once

#include <complex>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <hither/dtype.h>
#include <hither/export.h>
#include <sycl/sycl.hpp>

#include "drivers/sycl/fence.h"
#include "drivers/sycl/retired_queues.h"
#include "drivers/sycl/wait.h"
#include "process/exit_gate.h"

namespace hither::drivers::sycl_onemkl {

enum Status : int { kDone = 0, kFailed = 1 };

/// The calling thread's last failure, for hither_onemkl_message().
std::string& message() noexcept;

/// Returns kDone, or kFailed with message() set.
template <class Call>
int guarded(Call&& call) noexcept {
  const process::InsideLibrary inside;
  try {
    std::forward<Call>(call)();
    return kDone;
  } catch (const std::exception& error) {
    message() = error.what();
  } catch (...) {
    message() = "an exception of unknown type";
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
      throw std::invalid_argument(std::string("oneMKL does not support the type ") + type);
  }
}

/// Calls `call(Number())` for a floating or complex dtype of at least float32.
template <class Call>
void with_dtype(DType dtype, Call&& call) {
  switch (dtype) {
    case DType::kFloat32:
      return call(float());
    case DType::kFloat64:
      return call(double());
    case DType::kComplex64:
      return call(std::complex<float>());
    default:
      return call(std::complex<double>());
  }
}

using Events = std::vector<::sycl::event>;

/// The events that a call waits for. On CPUs oneMKL respects these events, but not the order of an
/// in-order queue.
inline Events all_of(::sycl::queue& queue) { return {sycl::submit_fence(queue)}; }

/// Orders later submissions after these events, which may belong to other queues. On CPUs they are
/// host tasks, which share SYCL's few threads with dpctl's host tasks that take the GIL. Commands
/// of an out-of-order queue, which the device orders, must not wait for them, so this thread does.
inline void order_after(::sycl::queue& queue, Events events) {
  if (sycl::is_fenced_by_opencl(queue))
    std::erase_if(events, [](::sycl::event& event) {
      if (sycl::is_at_device(event)) return false;
      sycl::wait_for(event, true);
      return true;
    });
  sycl::make_queue_wait(queue, events);
}

/// Retires a queue of the plugin.
inline void retire(const ::sycl::queue& queue) {
  static std::mutex mutex;
  static sycl::RetiredQueues& retired = *new sycl::RetiredQueues;
  std::lock_guard lock(mutex);
  retired.sweep();
  retired.add(queue);
}

inline ::sycl::queue& queue_at(void* queue) noexcept { return *static_cast<::sycl::queue*>(queue); }

}  // namespace hither::drivers::sycl_onemkl
