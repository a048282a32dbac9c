#include "drivers/sycl/observed_command.h"

#include <algorithm>

#include <CL/cl.h>
#include <sycl/backend.hpp>

#include "drivers/sycl/fence.h"
#include "drivers/sycl/opencl_function.h"
#include "runtime/host_task.h"

namespace hither::drivers::sycl {
namespace {

/// Asks OpenCL to store the time at which a command has reached `status`.
class Notice {
 public:
  Notice(std::shared_ptr<ObservedCommand> command, std::atomic<uint64_t>& time)
      : command_(std::move(command)), time_(time) {}

  static void ask(cl_event event, cl_int status, std::unique_ptr<Notice> notice) {
    static auto* const set = opencl_function<decltype(clSetEventCallback)>("clSetEventCallback");
    if (set && set(event, status, told, notice.get()) == CL_SUCCESS) (void)notice.release();
  }

 private:
  static void CL_CALLBACK told(cl_event, cl_int, void* data) {
    const std::unique_ptr<Notice> notice(static_cast<Notice*>(data));
    notice->time_.store(runtime::now_nanoseconds(), std::memory_order_relaxed);
  }

  const std::shared_ptr<ObservedCommand> command_;  ///< keeps time_
  std::atomic<uint64_t>& time_;
};

}  // namespace

std::shared_ptr<const ObservedCommand> ObservedCommand::of(const ::sycl::event& event) noexcept {
  static auto* const release = opencl_function<decltype(clReleaseEvent)>("clReleaseEvent");
  try {
    if (!release || event.get_backend() != ::sycl::backend::opencl || !is_at_device(event))
      return nullptr;
    // The start of a command that runs already cannot be told.
    if (event.get_info<::sycl::info::event::command_execution_status>() !=
        ::sycl::info::event_command_status::submitted)
      return nullptr;
    const auto command = std::make_shared<ObservedCommand>();
    for (cl_event native : ::sycl::get_native<::sycl::backend::opencl>(event)) {
      const Native<cl_event> owned(native, release);
      Notice::ask(native, CL_RUNNING, std::make_unique<Notice>(command, command->start_));
      Notice::ask(native, CL_COMPLETE, std::make_unique<Notice>(command, command->end_));
    }
    return command;
  } catch (...) {  // the profile observes the command as it does on other back ends
    return nullptr;
  }
}

runtime::ProfilingTimes ObservedCommand::times() const noexcept {
  const uint64_t end = end_.load(std::memory_order_relaxed);
  const uint64_t start = std::min(start_.load(std::memory_order_relaxed), end);
  return {start, start, end};
}

}  // namespace hither::drivers::sycl
