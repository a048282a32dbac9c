#include "drivers/sycl/device_task.h"

#include <CL/cl.h>
#include <sycl/backend.hpp>

#include "drivers/sycl/checked.h"
#include "drivers/sycl/fence.h"
#include "drivers/sycl/opencl_function.h"
#include "drivers/sycl/wait.h"
#include "process/exit_gate.h"

namespace hither::drivers::sycl {

namespace {

/// The times of an OpenCL barrier (fence.h), whose queue SYCL does not know. A command that the
/// runtime omitted, such as an empty barrier, has none.
runtime::ProfilingTimes times_at_device(const ::sycl::event& event) noexcept {
  static auto* const info =
      opencl_function<decltype(clGetEventProfilingInfo)>("clGetEventProfilingInfo");
  static auto* const release = opencl_function<decltype(clReleaseEvent)>("clReleaseEvent");
  try {
    if (!info || !release || !is_at_device(event)) return {};
    cl_ulong start = 0, end = 0;
    for (cl_event native : ::sycl::get_native<::sycl::backend::opencl>(event)) {
      info(native, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
      info(native, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
      release(native);
    }
    return {start, start, end};
  } catch (...) {
    return {};
  }
}

}  // namespace

runtime::ProfilingTimes times_of(const ::sycl::event& event) noexcept {
  using namespace ::sycl::info::event_profiling;
  const process::InsideLibrary inside;
  try {
    return {event.get_profiling_info<command_submit>(), event.get_profiling_info<command_start>(),
            event.get_profiling_info<command_end>()};
  } catch (...) {
    return times_at_device(event);
  }
}

SyclTask::~SyclTask() {
  const process::InsideLibrary inside;
  const ::sycl::event gone = std::move(native_.event);
}

EventStatus SyclTask::status() const noexcept {
  using Native = ::sycl::info::event_command_status;
  if (is_finished()) return EventStatus::kComplete;
  const process::InsideLibrary inside;
  try {
    switch (native_.event.get_info<::sycl::info::event::command_execution_status>()) {
      case Native::complete:
        return EventStatus::kComplete;
      case Native::running:
        return EventStatus::kRunning;
      default:
        return EventStatus::kSubmitted;
    }
  } catch (...) {
    return EventStatus::kComplete;  // it failed; finish() determines the error
  }
}

void SyclTask::finish() const noexcept {
  if (is_finished()) return;
  const process::InsideLibrary inside;
  DeviceTask::finish();
}

void SyclTask::wait_for_end() const {
  checked("device task", [&] { wait_for(native_.event, native_.shared); });
}

std::optional<runtime::ProfilingTimes> SyclTask::times() const noexcept {
  if (!native_.profiling) return std::nullopt;
  return times_of(native_.event);
}

}  // namespace hither::drivers::sycl
