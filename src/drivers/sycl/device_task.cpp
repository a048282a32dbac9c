#include "drivers/sycl/device_task.h"

#include <CL/cl.h>
#include <sycl/backend.hpp>

#include "drivers/sycl/checked.h"
#include "drivers/sycl/fence.h"
#include "drivers/sycl/opencl_function.h"
#include "drivers/sycl/wait.h"
#include "runtime/exit_gate.h"
#include "runtime/host_threads.h"

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
  const runtime::InsideRuntime inside;
  try {
    return {event.get_profiling_info<command_submit>(), event.get_profiling_info<command_start>(),
            event.get_profiling_info<command_end>()};
  } catch (...) {
    return times_at_device(event);
  }
}

DeviceTask::~DeviceTask() {
  const runtime::InsideRuntime inside;
  const ::sycl::event gone = std::move(options_.event);
}

EventStatus DeviceTask::status() const noexcept {
  using Native = ::sycl::info::event_command_status;
  if (finished_.load(std::memory_order_acquire)) return EventStatus::kComplete;
  const runtime::InsideRuntime inside;
  try {
    switch (options_.event.get_info<::sycl::info::event::command_execution_status>()) {
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

void DeviceTask::finish() const noexcept {
  if (finished_.load(std::memory_order_acquire)) return;
  const runtime::InsideRuntime inside;
  std::lock_guard lock(mutex_);
  if (finished_.load(std::memory_order_relaxed)) return;
  try {
    wait_for(options_.event, options_.shared);
    for (const Event& dependency : options_.depends_on)
      if (!error_) error_ = dependency.wait_for_error();
    if (!error_ && options_.report) error_ = options_.report->read();
  } catch (...) {
    error_ = current_error("device task");
  }
  if (error_) options_.failures->add(options_.number, *error_);
  options_.depends_on.clear();
  options_.report.reset();
  finished_.store(true, std::memory_order_release);
}

void DeviceTask::wait() noexcept { finish(); }

const Error* DeviceTask::error() const noexcept {
  finish();
  return error_ ? &*error_ : nullptr;
}

std::optional<runtime::ProfilingTimes> DeviceTask::times() const noexcept {
  if (!options_.profiling) return std::nullopt;
  return times_of(options_.event);
}

bool DeviceTask::follows(const runtime::EventState& earlier) const noexcept {
  if (!options_.in_order || typeid(earlier) != typeid(DeviceTask)) return false;
  const auto& task = static_cast<const DeviceTask&>(earlier);
  return task.options_.queue == options_.queue && task.options_.number < options_.number &&
         !task.may_fail_;
}

void DeviceTask::on_end(std::function<void()> then) {
  if (status() == EventStatus::kComplete) return then();
  runtime::HostThreads::process().run_after(shared_from_this(), std::move(then));
}

}  // namespace hither::drivers::sycl
