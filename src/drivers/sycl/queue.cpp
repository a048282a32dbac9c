#include "drivers/sycl/queue.h"

#include <array>
#include <cstring>
#include <deque>
#include <typeinfo>

#include "drivers/sycl/checked.h"
#include "drivers/sycl/fence.h"
#include "drivers/sycl/kernel.h"
#include "drivers/sycl/process_exit.h"
#include "drivers/sycl/wait.h"
#include "process/exit_gate.h"
#include "profiling/record.h"

namespace hither::drivers::sycl {
namespace {

template <class Element>
::sycl::event fill_with(::sycl::queue& queue, void* to, const std::byte* pattern, size_t count,
                        const std::vector<::sycl::event>& after) {
  Element element;
  std::memcpy(&element, pattern, sizeof element);
  return queue.fill(to, element, count, after);
}

::sycl::event submit_fill(::sycl::queue& queue, void* to, const std::byte* pattern, size_t bytes,
                          size_t count, const std::vector<::sycl::event>& after) {
  switch (bytes) {
    case 1:
      return fill_with<uint8_t>(queue, to, pattern, count, after);
    case 2:
      return fill_with<uint16_t>(queue, to, pattern, count, after);
    case 4:
      return fill_with<uint32_t>(queue, to, pattern, count, after);
    case 8:
      return fill_with<uint64_t>(queue, to, pattern, count, after);
    default:
      return fill_with<std::array<uint64_t, 2>>(queue, to, pattern, count, after);
  }
}

}  // namespace

::sycl::async_handler log_failures(std::shared_ptr<runtime::FailureLog> failures) {
  return [failures = std::move(failures)](const ::sycl::exception_list& list) {
    for (const std::exception_ptr& exception : list) {
      try {
        std::rethrow_exception(exception);
      } catch (...) {
        failures->add(UINT64_MAX, current_error("Queue"));
      }
    }
  };
}

SyclQueue::SyclQueue(::sycl::queue native, QueueProperties properties, bool has_usm,
                     std::shared_ptr<runtime::RecordPool> records,
                     std::shared_ptr<runtime::FailureLog> failures)
    : DeviceQueue(properties, std::move(failures), typeid(SyclTask), records.get(), current_error),
      native_(std::move(native)),
      has_usm_(has_usm),
      is_fenced_by_opencl_(is_fenced_by_opencl(native_)),
      records_(std::move(records)) {
  on_host_cores_ = native_.get_device().is_cpu();
  remember_queue(native_);
}

SyclQueue::~SyclQueue() {
  forget_queue(native_);
  leave([&](const std::shared_ptr<runtime::DeviceTask>& task) { report_at_exit(task, failures_); });
}

bool SyclQueue::is_at_device(const runtime::DeviceTask& task) const {
  // Submitting a barrier behind commands that SYCL delays would wait with SYCL's graph locked.
  return sycl::is_at_device(static_cast<const SyclTask&>(task).native());
}

SyclQueue::Natives SyclQueue::natives_of(Tasks tasks) {
  Natives natives;
  for (const auto* task : tasks) natives.push_back(static_cast<const SyclTask*>(task)->native());
  return natives;
}

std::shared_ptr<SyclTask> SyclQueue::make_task(const Command& command, Tasks after,
                                               runtime::DeviceTask::Options&& options,
                                               bool fences) {
  const Natives natives = natives_of(after);
  ::sycl::event event = checked("Queue", [&] {
    return fences ? fenced(command, native_, natives) : command(native_, natives);
  });
  auto observed = profiling::is_on() ? ObservedCommand::of(event) : nullptr;
  return std::make_shared<SyclTask>(std::move(options),
                                    SyclTask::Native{.event = std::move(event),
                                                     .profiling = properties_.enable_profiling,
                                                     .shared = shared_,
                                                     .observed = std::move(observed)});
}

Event SyclQueue::submit(Command command, std::span<const Event> depends_on,
                        std::unique_ptr<runtime::ErrorReport> report, bool after_all) {
  const auto at_once = [&](Tasks after, runtime::DeviceTask::Options&& options) {
    return make_task(command, after, std::move(options), needs_fences() && !after_all);
  };
  const auto later = [&] { return deferred(std::move(command)); };
  return DeviceQueue::submit(at_once, later, depends_on, std::move(report), after_all);
}

::sycl::event SyclQueue::fenced(const Command& command, ::sycl::queue& queue,
                                const Natives& after) {
  fence(queue);
  ::sycl::event event = command(queue, after);
  fence(queue);
  return event;
}

SyclQueue::Deferred SyclQueue::deferred(Command command) const {
  return [queue = native_, command = std::move(command), profiling = properties_.enable_profiling,
          shared = is_shared(), fences = needs_fences()](runtime::ProfilingTimes& times) mutable {
    checked("Queue", [&] {
      ::sycl::event event = fences ? fenced(command, queue, {}) : command(queue, {});
      wait_for(event, shared);
      if (!profiling) return;
      const runtime::ProfilingTimes native = times_of(event);
      if (native.end != 0) times = native;
    });
  };
}

Event SyclQueue::launch(const Kernel& kernel, const NdRange& range,
                        std::span<const std::byte> arguments, std::span<const Event> depends_on) {
  std::unique_ptr<runtime::ErrorReport> report;
  if (kernel.state()->image->reports_errors)
    report = std::make_unique<runtime::ErrorReport>(records_, kernel, range);
  void* const record = report ? report->address() : nullptr;
  std::vector<std::byte> copied(arguments.begin(), arguments.end());
  return submit(
      [kernel, range, record, copied = std::move(copied)](::sycl::queue& queue,
                                                          const Natives& after) {
        return queue.submit([&](::sycl::handler& handler) {
          handler.depends_on(after);
          sycl::launch(handler, static_cast<const SyclKernel&>(*kernel.state()), range, copied,
                       record);
        });
      },
      depends_on, std::move(report));
}

Event SyclQueue::copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) {
  if (!has_usm_) return submit_host([=] { std::memmove(to, from, bytes); }, depends_on);
  return submit([=](::sycl::queue& queue,
                    const Natives& after) { return queue.memcpy(to, from, bytes, after); },
                depends_on);
}

Event SyclQueue::fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
                      std::span<const Event> depends_on) {
  std::array<std::byte, 16> copied;
  std::memcpy(copied.data(), pattern, pattern_bytes);
  if (!has_usm_)
    return submit_host(
        [=] {
          for (size_t i = 0; i < count; ++i)
            std::memcpy(static_cast<std::byte*>(to) + i * pattern_bytes, copied.data(),
                        pattern_bytes);
        },
        depends_on);
  return submit(
      [=](::sycl::queue& queue, const Natives& after) {
        return submit_fill(queue, to, copied.data(), pattern_bytes, count, after);
      },
      depends_on);
}

Event SyclQueue::prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) {
  const process::InsideLibrary inside;
  // A prefetch affects shared USM only.
  if (!has_usm_ ||
      ::sycl::get_pointer_type(address, native_.get_context()) != ::sycl::usm::alloc::shared)
    return submit_barrier(depends_on);
  return submit(
      [=](::sycl::queue& queue, const Natives& after) {
        return queue.prefetch(const_cast<void*>(address), bytes, after);
      },
      depends_on);
}

Event SyclQueue::submit_barrier(std::span<const Event> depends_on) {
  return submit(
      [shared = is_shared()](::sycl::queue& queue, const Natives& after) {
        sycl::make_queue_wait(queue, after);
        return end_of_all(queue, shared);
      },
      depends_on, nullptr, true);
}

::sycl::event SyclQueue::end_of_all(::sycl::queue& queue, bool shared) {
  return shared ? submit_fence(queue) : queue.ext_oneapi_submit_barrier();
}

Event SyclQueue::submit_end_of_all(Dependencies dependencies) {
  const Command end = [this](::sycl::queue& queue, const Natives&) {
    return end_of_all(queue, shared_);
  };
  const auto at_once = [&](Tasks after, runtime::DeviceTask::Options&& options) {
    return make_task(end, after, std::move(options), false);
  };
  return submit_at_once(at_once, std::move(dependencies));
}

const void* SyclQueue::share() {
  std::vector<Event> open;
  {
    std::lock_guard lock(mutex_);
    if (!runtime::HostTask::runs_here(number_)) open = open_host_tasks();
    if (!shared_.exchange(true) && !properties_.in_order) {
      checked("Queue", [&] { fence(native_); });
      if (is_fenced_by_opencl_ && submitted() != 0)  // host tasks ignore fences
        open.push_back(submit_end_of_all());
    }
  }
  for (const Event& task : open) task.state()->wait();
  return &native_;
}

void SyclQueue::wait_for_foreign_commands(std::span<const void* const> native_events) {
  checked("Queue", [&] {
    for (const void* event : native_events)
      wait_until_at_device(*static_cast<const ::sycl::event*>(event));
  });
}

Event SyclQueue::submit_native(std::function<void(void* native_queue)> give,
                               std::span<const Event> depends_on) {
  if (is_fenced_by_opencl_) {  // oneMKL may wait, so mutex_ must not be held
    std::unique_lock lock(mutex_);
    Dependencies dependencies = sort(depends_on);
    if (!dependencies.failed && !dependencies.host) {
      checked("Queue", [&] { sycl::make_queue_wait(native_, natives_of(dependencies.native)); });
      lock.unlock();
      checked("Queue", [&] { give(&native_); });
      lock.lock();
      return submit_end_of_all(std::move(dependencies));
    }
  }
  return submit(
      [give = std::move(give), shared = is_shared()](::sycl::queue& queue, const Natives& after) {
        sycl::make_queue_wait(queue, after);
        give(&queue);
        return end_of_all(queue, shared);
      },
      depends_on);
}

void SyclQueue::make_native_wait(void*, std::span<const Event> events) {
  std::vector<Event> host_events;
  {
    std::lock_guard lock(mutex_);
    if (properties_.in_order && !runtime::HostTask::runs_here(number_))
      host_events = open_host_tasks();
    for (const Event& event : events)
      if (sort(std::span(&event, 1)).host) host_events.push_back(event);
    const Dependencies dependencies = sort(events);
    checked("Queue", [&] { sycl::make_queue_wait(native_, natives_of(dependencies.native)); });
  }
  for (const Event& event : host_events) event.state()->wait();
}

Event SyclQueue::record_native_event(void*) {
  std::lock_guard lock(mutex_);
  return submit_end_of_all();
}

void SyclQueue::wait_for_device(uint64_t) {
  try {
    const process::InsideLibrary inside;
    // Intel's OpenCL crashes if a barrier is submitted concurrently with another command.
    std::unique_lock lock(mutex_);
    ::sycl::event all = end_of_all(native_, shared_);
    lock.unlock();
    wait_for(all, shared_);
    native_.throw_asynchronous();
  } catch (...) {
    failures_->add(UINT64_MAX, current_error("Queue.wait"));
  }
}

void SyclQueue::log_ended_failures() noexcept {
  std::deque<std::shared_ptr<runtime::DeviceTask>> tasks;
  {
    std::lock_guard lock(mutex_);
    tasks = may_fail();
  }
  for (const auto& task : tasks) task->wait();
}

}  // namespace hither::drivers::sycl
