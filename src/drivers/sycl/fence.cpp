#include "drivers/sycl/fence.h"

#include <memory>

#include <CL/cl.h>
#include <dlfcn.h>
#include <sycl/backend.hpp>

namespace hither::drivers::sycl {
namespace {

struct OpenCl {
  decltype(&clEnqueueBarrierWithWaitList) barrier = nullptr;
  decltype(&clReleaseCommandQueue) release = nullptr;

  static const OpenCl& process() {
    static const OpenCl found = [] {
      OpenCl made;
      void* const library = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);
      if (!library) return made;
      made.barrier =
          reinterpret_cast<decltype(made.barrier)>(dlsym(library, "clEnqueueBarrierWithWaitList"));
      made.release =
          reinterpret_cast<decltype(made.release)>(dlsym(library, "clReleaseCommandQueue"));
      dlclose(library);  // others keep it
      return made;
    }();
    return found;
  }
};

bool fence_opencl(::sycl::queue& queue) {
  const OpenCl& cl = OpenCl::process();
  if (queue.get_backend() != ::sycl::backend::opencl || !cl.barrier || !cl.release) return false;
  const std::unique_ptr<_cl_command_queue, decltype(cl.release)> native(
      ::sycl::get_native<::sycl::backend::opencl>(queue), cl.release);
  return cl.barrier(native.get(), 0, nullptr, nullptr) == CL_SUCCESS;
}

}  // namespace

void fence(::sycl::queue& queue) {
  if (!fence_opencl(queue)) queue.ext_oneapi_submit_barrier();
}

}  // namespace hither::drivers::sycl
