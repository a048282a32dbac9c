// The number of threads of Intel's OpenCL CPU device, which is that of oneTBB.
#pragma once

#include <cstddef>
#include <cstdint>

#include <sycl/sycl.hpp>

namespace hither::drivers::sycl {

/// tbb::global_control for the number of threads, whose layout and functions are the same in all
/// libraries of the name libtbb.so.12. hither's own oneTBB has another name in a wheel, so the
/// driver cannot be linked to the one of Intel's runtime.
struct ThreadLimit {
  size_t threads = 0;
  intptr_t reserved = 0;
  int parameter = 0;
};

/// To exist while a context of a device is made or the device is divided. The first use of Intel's
/// runtime lowers a limit above the number of processors for ever, also that of hither's CPU device
/// if both share a oneTBB. While this exists there is no such limit.
class UsualThreads {
 public:
  explicit UsualThreads(const ::sycl::device& device);
  ~UsualThreads();
  UsualThreads(const UsualThreads&) = delete;

 private:
  ThreadLimit limit_;
};

/// Lets each processor of a CPU have a worker. oneTBB runs one fewer, for a caller that takes part.
/// The thread that waits for a part of a device mostly does not: two parts of two processors would
/// share one worker. A program that has set a lower limit keeps it.
void allow_a_worker_for_each_unit(const ::sycl::device& device);

}  // namespace hither::drivers::sycl
