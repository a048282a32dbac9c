#include "drivers/native_cpu/in_order_queue.h"

#include "drivers/native_cpu/host_work.h"
#include "drivers/native_cpu/kernel.h"
#include "drivers/native_cpu/transfer.h"
#include "process/before_blocking.h"
#include "process/interruption.h"
#include "profiling/record.h"

namespace hither::drivers::native_cpu {
namespace {

/// Its address identifies this thread.
thread_local const char this_thread = 0;

}  // namespace

bool InOrderQueue::in_own_host_task() const noexcept {
  const void* const thread = host_task_thread_.load(std::memory_order_relaxed);
  return thread && thread == &this_thread;
}

std::unique_lock<process::Mutex> InOrderQueue::lock_for_execution() {
  std::unique_lock lock(execution_mutex_, std::try_to_lock);
  if (lock.owns_lock()) return lock;
  process::before_blocking();
  const process::InterruptibleWait wait(process::InterruptibleWait::For::kAnyLaunch);
  lock.lock();
  return lock;
}

Event InOrderQueue::ended(std::optional<Error> error, runtime::ProfilingTimes times) {
  if (error) failures_->add(failed_.fetch_add(1), *error);
  return Event(std::make_shared<runtime::EndedEvent>(
      std::move(error), profiling_ ? std::optional(times) : std::nullopt));
}

template <class Now, class Own>
Event InOrderQueue::run(std::span<const Event> depends_on, const Now& work, const Own& own) {
  if (in_own_host_task()) return defer(depends_on, own());
  runtime::ProfilingTimes times;
  const bool profiled = profiling::is_on(), timed = profiling_ || profiled;
  if (profiling_) times.submit = now_nanoseconds();
  // Before locking execution_mutex_, because the dependencies may need it.
  if (!depends_on.empty()) {
    if (auto failed = runtime::wait_for_all(depends_on)) {
      if (profiling_) times.start = times.end = now_nanoseconds();
      return ended(std::move(failed), times);
    }
  }
  std::optional<Error> error;
  {
    const auto lock = lock_for_execution();
    if (timed) times.start = now_nanoseconds();
    error = work();
    if (timed) times.end = now_nanoseconds();
  }
  if (profiled) profiling::note_run({times.start, times.end});
  if (!error && !profiling_) return {};
  return ended(std::move(error), times);
}

Event InOrderQueue::defer(std::span<const Event> depends_on, Work work) {
  auto task = std::make_shared<Task>(
      Task::Options{.failures = failures_, .number = failed_.load(), .profiling = profiling_},
      std::move(work), depends_on);
  deferred_.push_back(task);
  return Event(std::move(task));
}

void InOrderQueue::run_deferred() noexcept {
  // The work may defer more work.
  for (size_t i = 0; i < deferred_.size(); ++i) {
    const std::shared_ptr<Task> next = std::move(deferred_[i]);
    next->submit();
    next->wait();
  }
  deferred_.clear();
}

Event InOrderQueue::launch(const Kernel& kernel, const NdRange& range,
                           std::span<const std::byte> arguments,
                           std::span<const Event> depends_on) {
  const auto& cpu_kernel = static_cast<const CpuKernel&>(*kernel.state());
  return run(
      depends_on, [&] { return run_kernel(cpu_kernel, range, arguments.data(), *arena_); },
      [&] { return kernel_work(kernel, range, arguments, arena_); });
}

Event InOrderQueue::copy(void* to, const void* from, size_t bytes,
                         std::span<const Event> depends_on) {
  const auto work = [this, to, from, bytes] {
    copy_bytes(to, from, bytes, *arena_);
    return std::optional<Error>();
  };
  return run(depends_on, work, [&] { return Work(work); });
}

Event InOrderQueue::fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
                         std::span<const Event> depends_on) {
  const auto work = [this, to, count, pattern = Pattern(pattern, pattern_bytes)] {
    fill_pattern(to, pattern, count, *arena_);
    return std::optional<Error>();
  };
  return run(depends_on, work, [&] { return Work(work); });
}

Event InOrderQueue::prefetch(const void*, size_t, std::span<const Event> depends_on) {
  // A prefetch has no effect on a CPU.
  return submit_barrier(depends_on);
}

Event InOrderQueue::submit_host(std::function<void()> work, std::span<const Event> depends_on) {
  return run(
      depends_on,
      [&] {
        host_task_thread_.store(&this_thread, std::memory_order_relaxed);
        auto error = call_host(work);
        run_deferred();
        host_task_thread_.store(nullptr, std::memory_order_relaxed);
        return error;
      },
      [&] { return host_work(std::move(work)); });
}

Event InOrderQueue::submit_barrier(std::span<const Event> depends_on) {
  const auto work = [] { return std::optional<Error>(); };
  return run(depends_on, work, [&] { return Work(work); });
}

void InOrderQueue::wait() {
  // A wait in the queue's own host task would deadlock.
  if (execution_mutex_.is_locked() && !in_own_host_task()) lock_for_execution();
}

}  // namespace hither::drivers::native_cpu
