#include "drivers/sycl/queue.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "drivers/sycl/checked.h"
#include "drivers/sycl/fence.h"
#include "drivers/sycl/kernel.h"
#include "drivers/sycl/process_exit.h"
#include "drivers/sycl/wait.h"
#include "runtime/exit_gate.h"
#include "runtime/host_threads.h"

namespace hither::drivers::sycl {
namespace {

/// The limit of tasks with undetermined errors; beyond it the queue waits for the oldest.
constexpr size_t kMostUndetermined = 512;

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
                     std::shared_ptr<RecordPool> records,
                     std::shared_ptr<runtime::FailureLog> failures)
    : native_(std::move(native)),
      number_(runtime::HostTask::new_queue_number()),
      properties_(properties),
      has_usm_(has_usm),
      is_fenced_by_opencl_(is_fenced_by_opencl(native_)),
      records_(std::move(records)),
      failures_(std::move(failures)) {
  remember_queue(native_);
}

SyclQueue::~SyclQueue() {
  forget_queue(native_);
  // A record is in use until its kernel has ended.
  for (auto& task : may_fail_) {
    if (task->status() == EventStatus::kComplete) {
      task->wait();
      continue;
    }
    report_at_exit(task, failures_);
    runtime::HostThreads::process().run_after(std::move(task), [] {});
  }
}

SyclQueue::Dependencies SyclQueue::sort(std::span<const Event> depends_on) const {
  Dependencies sorted;
  for (const Event& event : depends_on) {
    if (!event.state()) continue;
    if (event.is_complete()) {
      const Error* error = event.state()->error();
      if (error && !sorted.failed) sorted.failed = *error;
      continue;
    }
    const auto* task = dynamic_cast<const DeviceTask*>(event.state().get());
    if (!task || task->context() != records_.get()) {
      sorted.host = true;
      continue;
    }
    if (!properties_.in_order || task->queue() != number_) {
      // Submitting a barrier behind commands that SYCL delays would wait with SYCL's graph locked.
      if (!is_at_device(task->native())) {
        sorted.host = true;
        continue;
      }
      sorted.native.push_back(task->native());
    }
    if (task->may_fail()) sorted.may_fail.push_back(event);
  }
  return sorted;
}

std::vector<Event> SyclQueue::open_host_tasks() {
  std::vector<Event> open;
  for (const auto& weak : host_tasks_) {
    auto task = weak.lock();
    if (task && task->status() != EventStatus::kComplete) open.emplace_back(std::move(task));
  }
  if (open.empty()) host_tasks_.clear();
  return open;
}

Event SyclQueue::failed(const Error& error) {
  failures_->add(submitted_++, error);
  std::optional<runtime::ProfilingTimes> times;
  const uint64_t now = properties_.enable_profiling ? runtime::now_nanoseconds() : 0;
  if (properties_.enable_profiling) times = runtime::ProfilingTimes{now, now, now};
  return Event(std::make_shared<runtime::EndedEvent>(error, times));
}

Event SyclQueue::submit(Command command, std::span<const Event> depends_on,
                        std::unique_ptr<ErrorReport> report, bool after_all) {
  std::unique_lock lock(mutex_);
  Dependencies dependencies = sort(depends_on);
  if (dependencies.failed) return failed(*dependencies.failed);
  const bool held =
      dependencies.host || ((properties_.in_order || after_all) && !open_host_tasks().empty());
  if (!held)
    return submit_at_once(command, std::move(dependencies), std::move(report),
                          needs_fences() && !after_all);
  return submit_to_host(lock, work_of(std::move(command), std::move(report)), depends_on,
                        after_all);
}

Event SyclQueue::submit_at_once(const Command& command, Dependencies dependencies,
                                std::unique_ptr<ErrorReport> report, bool fences) {
  auto task = std::make_shared<DeviceTask>(DeviceTask::Options{
      .event = checked("Queue",
                       [&] {
                         return fences ? fenced(command, native_, dependencies.native)
                                       : command(native_, dependencies.native);
                       }),
      .failures = failures_,
      .number = submitted_++,
      .queue = number_,
      .context = records_.get(),
      .in_order = properties_.in_order,
      .profiling = properties_.enable_profiling,
      .shared = shared_,
      .report = std::move(report),
      .depends_on = std::move(dependencies.may_fail)});
  if (properties_.in_order) last_ = task;
  if (task->may_fail()) look_after(task);
  return Event(std::move(task));
}

::sycl::event SyclQueue::fenced(const Command& command, ::sycl::queue& queue,
                                const Natives& after) {
  fence(queue);
  ::sycl::event event = command(queue, after);
  fence(queue);
  return event;
}

void SyclQueue::look_after(std::shared_ptr<DeviceTask> task) {
  may_fail_.push_back(std::move(task));
  while (may_fail_.front()->status() == EventStatus::kComplete ||
         may_fail_.size() > kMostUndetermined) {
    may_fail_.front()->wait();
    may_fail_.pop_front();
    if (may_fail_.empty()) return;
  }
}

runtime::HostTask::Work SyclQueue::work_of(Command command,
                                           std::unique_ptr<ErrorReport> report) const {
  return [queue = native_, command = std::move(command),
          report = std::shared_ptr<ErrorReport>(std::move(report)),
          profiling = properties_.enable_profiling, shared = is_shared(),
          fences = needs_fences()](runtime::ProfilingTimes& times) mutable -> std::optional<Error> {
    const runtime::InsideRuntime inside;
    try {
      ::sycl::event event = fences ? fenced(command, queue, {}) : command(queue, {});
      wait_for(event, shared);
      if (profiling) {
        const runtime::ProfilingTimes native = times_of(event);
        if (native.end != 0) times = native;
      }
      return report ? report->read() : std::nullopt;
    } catch (...) {
      return current_error("Queue");
    }
  };
}

Event SyclQueue::submit_to_host(std::unique_lock<std::mutex>& lock, runtime::HostTask::Work work,
                                std::span<const Event> depends_on, bool after_all) {
  std::vector<Event> after;
  if (properties_.in_order || after_all) after = open_host_tasks();
  if (properties_.in_order) {
    if (after.empty() && last_) after.emplace_back(last_);
    host_tasks_.clear();  // the last one ends last
  }
  auto task = std::make_shared<runtime::HostTask>(
      runtime::HostTask::Options{.failures = failures_,
                                 .number = submitted_++,
                                 .profiling = properties_.enable_profiling,
                                 .queue = number_},
      std::move(work));
  if (host_tasks_.size() >= sweep_at_) {
    std::erase_if(host_tasks_, [](const std::weak_ptr<runtime::HostTask>& weak) {
      const auto known = weak.lock();
      return !known || known->status() == EventStatus::kComplete;
    });
    sweep_at_ = std::max<size_t>(64, 2 * host_tasks_.size());
  }
  host_tasks_.push_back(task);
  lock.unlock();
  task->submit({depends_on.begin(), depends_on.end()}, std::move(after));
  return Event(std::move(task));
}

Event SyclQueue::launch(const Kernel& kernel, const NdRange& range,
                        std::span<const std::byte> arguments, std::span<const Event> depends_on) {
  std::unique_ptr<ErrorReport> report;
  if (kernel.state()->image->reports_errors)
    report = std::make_unique<ErrorReport>(records_, kernel, range);
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
  const runtime::InsideRuntime inside;
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

Event SyclQueue::submit_host(std::function<void()> work, std::span<const Event> depends_on) {
  std::unique_lock lock(mutex_);
  if (Dependencies dependencies = sort(depends_on); dependencies.failed)
    return failed(*dependencies.failed);
  return submit_to_host(
      lock,
      [work = std::move(work)](runtime::ProfilingTimes&) -> std::optional<Error> {
        try {
          work();
          return std::nullopt;
        } catch (...) {
          return current_error("host task");
        }
      },
      depends_on, false);
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

const void* SyclQueue::share() {
  std::vector<Event> open;
  {
    std::lock_guard lock(mutex_);
    if (!runtime::HostTask::runs_here(number_)) open = open_host_tasks();
    if (!shared_.exchange(true) && !properties_.in_order) {
      checked("Queue", [&] { fence(native_); });
      if (is_fenced_by_opencl_ && submitted_ != 0)  // host tasks ignore fences
        open.push_back(
            submit_at_once([](::sycl::queue& queue, const Natives&) { return submit_fence(queue); },
                           {}, nullptr, false));
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
      checked("Queue", [&] { sycl::make_queue_wait(native_, dependencies.native); });
      lock.unlock();
      checked("Queue", [&] { give(&native_); });
      lock.lock();
      return submit_at_once(
          [this](::sycl::queue& queue, const Natives&) { return end_of_all(queue, shared_); },
          std::move(dependencies), nullptr, false);
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
    checked("Queue", [&] { sycl::make_queue_wait(native_, dependencies.native); });
  }
  for (const Event& event : host_events) event.state()->wait();
}

Event SyclQueue::record_native_event(void*) {
  std::lock_guard lock(mutex_);
  return submit_at_once(
      [this](::sycl::queue& queue, const Natives&) { return end_of_all(queue, shared_); }, {},
      nullptr, false);
}

void SyclQueue::wait() {
  if (runtime::HostTask::runs_here(number_)) return;  // the wait would deadlock
  std::vector<Event> open;
  {
    std::lock_guard lock(mutex_);
    open = open_host_tasks();
  }
  for (const Event& task : open) task.state()->wait();
  try {
    const runtime::InsideRuntime inside;
    // Intel's OpenCL crashes if a barrier is submitted concurrently with another command.
    std::unique_lock lock(mutex_);
    ::sycl::event all = end_of_all(native_, shared_);
    lock.unlock();
    wait_for(all, shared_);
    native_.throw_asynchronous();
  } catch (...) {
    failures_->add(UINT64_MAX, current_error("Queue.wait"));
  }
  std::deque<std::shared_ptr<DeviceTask>> ended;
  {
    std::lock_guard lock(mutex_);
    ended.swap(may_fail_);
  }
  for (const auto& task : ended) task->wait();
}

void SyclQueue::log_ended_failures() noexcept {
  std::deque<std::shared_ptr<DeviceTask>> tasks;
  {
    std::lock_guard lock(mutex_);
    tasks = may_fail_;
  }
  for (const auto& task : tasks) task->wait();
}

}  // namespace hither::drivers::sycl
