#include "drivers/sycl/fence.h"

#include <memory>

#include <CL/cl.h>
#include <sycl/backend.hpp>

#include "drivers/sycl/opencl_function.h"

namespace hither::drivers::sycl {
namespace {

bool fence_opencl(::sycl::queue& queue) {
  static auto* const barrier =
      opencl_function<decltype(clEnqueueBarrierWithWaitList)>("clEnqueueBarrierWithWaitList");
  static auto* const release =
      opencl_function<decltype(clReleaseCommandQueue)>("clReleaseCommandQueue");
  if (queue.get_backend() != ::sycl::backend::opencl || !barrier || !release) return false;
  const std::unique_ptr<_cl_command_queue, cl_int (*)(cl_command_queue)> native(
      ::sycl::get_native<::sycl::backend::opencl>(queue), release);
  return barrier(native.get(), 0, nullptr, nullptr) == CL_SUCCESS;
}

}  // namespace

void fence(::sycl::queue& queue) {
  if (!fence_opencl(queue)) queue.ext_oneapi_submit_barrier();
}

}  // namespace hither::drivers::sycl
