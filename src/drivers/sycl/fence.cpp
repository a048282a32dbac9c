#include "drivers/sycl/fence.h"

#include <memory>
#include <string>

#include <CL/cl.h>
#include <sycl/backend.hpp>

#include "drivers/sycl/opencl_function.h"

namespace hither::drivers::sycl {
namespace {

constexpr auto kOpenCl = ::sycl::backend::opencl;

struct Functions {
  decltype(clEnqueueBarrierWithWaitList)* const barrier =
      opencl_function<decltype(clEnqueueBarrierWithWaitList)>("clEnqueueBarrierWithWaitList");
  decltype(clReleaseCommandQueue)* const release_queue =
      opencl_function<decltype(clReleaseCommandQueue)>("clReleaseCommandQueue");
  decltype(clReleaseEvent)* const release_event =
      opencl_function<decltype(clReleaseEvent)>("clReleaseEvent");

  bool are_there() const noexcept { return barrier && release_queue && release_event; }
};

const Functions& functions() {
  static const Functions found;
  return found;
}

using NativeQueue = Native<cl_command_queue>;
using NativeEvent = Native<cl_event>;

NativeQueue native(const ::sycl::queue& queue) {
  return {::sycl::get_native<kOpenCl>(queue), functions().release_queue};
}

void barrier(const ::sycl::queue& queue, const std::vector<cl_event>& events,
             cl_event* end = nullptr) {
  const cl_int status =
      functions().barrier(native(queue).get(), static_cast<cl_uint>(events.size()),
                          events.empty() ? nullptr : events.data(), end);
  if (status == CL_SUCCESS) return;
  throw ::sycl::exception(::sycl::make_error_code(::sycl::errc::runtime),
                          "clEnqueueBarrierWithWaitList: " + std::to_string(status));
}

}  // namespace

bool is_fenced_by_opencl(const ::sycl::queue& queue) {
  return !queue.is_in_order() && queue.get_backend() == kOpenCl && functions().are_there();
}

void fence(::sycl::queue& queue) {
  if (!is_fenced_by_opencl(queue)) return void(queue.ext_oneapi_submit_barrier());
  barrier(queue, {});
}

void make_queue_wait(::sycl::queue& queue, const std::vector<::sycl::event>& events) {
  if (events.empty()) return;
  if (!is_fenced_by_opencl(queue)) return void(queue.ext_oneapi_submit_barrier(events));
  std::vector<NativeEvent> kept;
  std::vector<cl_event> natives;
  for (const ::sycl::event& event : events) {
    for (cl_event each : ::sycl::get_native<kOpenCl>(event)) {
      kept.emplace_back(each, functions().release_event);
      natives.push_back(each);
    }
  }
  barrier(queue, natives);
}

::sycl::event submit_fence(::sycl::queue& queue) {
  if (!is_fenced_by_opencl(queue)) return queue.ext_oneapi_submit_barrier();
  cl_event event = nullptr;
  barrier(queue, {}, &event);
  const NativeEvent kept(event, functions().release_event);
  return ::sycl::make_event<kOpenCl>({event}, queue.get_context());
}

bool is_at_device(const ::sycl::event& event) {
  // get_native() returns an owned reference. It would crash for the event of a host task.
  return event.get_info<::sycl::info::event::reference_count>() != 0;
}

}  // namespace hither::drivers::sycl
