#include "drivers/native_cpu/out_of_order_queue.h"

#include <algorithm>

#include "drivers/native_cpu/host_work.h"
#include "drivers/native_cpu/transfer.h"

namespace hither::drivers::native_cpu {

std::vector<Event> OutOfOrderQueue::open_tasks() {
  std::vector<Event> open;
  for (const auto& weak : tasks_) {
    auto task = weak.lock();
    if (task && task->status() != EventStatus::kComplete) open.emplace_back(std::move(task));
  }
  return open;
}

Event OutOfOrderQueue::submit(Work work, std::span<const Event> depends_on, bool after_all) {
  std::shared_ptr<Task> task;
  {
    std::lock_guard lock(mutex_);
    task = std::make_shared<Task>(Task::Options{.arena = arena_,
                                                .failures = failures_,
                                                .number = submitted_++,
                                                .profiling = profiling_},
                                  std::move(work), depends_on,
                                  after_all ? open_tasks() : std::vector<Event>());
    if (tasks_.size() >= sweep_at_) {
      std::erase_if(tasks_, [](const std::weak_ptr<Task>& weak) {
        const auto known = weak.lock();
        return !known || known->status() == EventStatus::kComplete;
      });
      sweep_at_ = std::max<size_t>(64, 2 * tasks_.size());
    }
    tasks_.push_back(task);
  }
  task->submit();
  return Event(std::move(task));
}

Event OutOfOrderQueue::launch(const Kernel& kernel, const NdRange& range,
                              std::span<const std::byte> arguments,
                              std::span<const Event> depends_on) {
  return submit(kernel_work(kernel, range, arguments, arena_), depends_on);
}

Event OutOfOrderQueue::copy(void* to, const void* from, size_t bytes,
                            std::span<const Event> depends_on) {
  return submit(
      [arena = arena_, to, from, bytes] {
        copy_bytes(to, from, bytes, *arena);
        return std::optional<Error>();
      },
      depends_on);
}

Event OutOfOrderQueue::fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
                            std::span<const Event> depends_on) {
  return submit(
      [arena = arena_, to, count, pattern = Pattern(pattern, pattern_bytes)] {
        fill_pattern(to, pattern, count, *arena);
        return std::optional<Error>();
      },
      depends_on);
}

Event OutOfOrderQueue::prefetch(const void*, size_t, std::span<const Event> depends_on) {
  // A prefetch has no effect on a CPU.
  return submit([] { return std::optional<Error>(); }, depends_on);
}

Event OutOfOrderQueue::submit_host(std::function<void()> work, std::span<const Event> depends_on) {
  return submit(host_work(std::move(work)), depends_on);
}

Event OutOfOrderQueue::submit_barrier(std::span<const Event> depends_on) {
  return submit([] { return std::optional<Error>(); }, depends_on, true);
}

void OutOfOrderQueue::wait() {
  std::vector<Event> open;
  {
    std::lock_guard lock(mutex_);
    open = open_tasks();
  }
  // A wait in the queue's own host task would deadlock.
  for (const Event& task : open)
    if (static_cast<const Task&>(*task.state()).runs_here()) return;
  // Ready tasks run here before this thread blocks on running tasks, because a running task may
  // wait for one for which no worker is free.
  bool ran = true;
  while (ran) {
    ran = false;
    for (const Event& task : open) ran |= static_cast<Task&>(*task.state()).try_run();
  }
  for (const Event& task : open) task.state()->wait();
}

}  // namespace hither::drivers::native_cpu
