#include "drivers/native_cpu/task.h"

#include <chrono>
#include <utility>

#include "process/before_blocking.h"
#include "process/interruption.h"
#include "process/running_tasks.h"
#include "profiling/record.h"

namespace hither::drivers::native_cpu {

uint64_t now_nanoseconds() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

/// The innermost task that this thread is running.
static thread_local const Task* running_task = nullptr;

Task::Task(Options options, Work work, std::span<const Event> depends_on, std::vector<Event> after)
    : options_(std::move(options)),
      work_(std::move(work)),
      timed_(options_.profiling || profiling::is_on()),
      depends_on_(depends_on.begin(), depends_on.end()),
      after_(std::move(after)) {
  if (timed_) times_.submit = now_nanoseconds();
}

void Task::submit() {
  // Iterate over copies, because the end of the task may clear the lists meanwhile.
  std::vector<Event> all = depends_on_;
  all.insert(all.end(), after_.begin(), after_.end());
  open_dependencies_.fetch_add(all.size(), std::memory_order_relaxed);
  for (const Event& event : all) {
    if (event.state())
      event.state()->on_end([self = shared_from_this()] { self->dependency_ended(); });
    else
      dependency_ended();
  }
  dependency_ended();  // the dependency that the constructor counts
}

void Task::dependency_ended() {
  if (open_dependencies_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  {
    std::lock_guard lock(mutex_);
    state_.store(kReady, std::memory_order_release);
    changed_.notify_all();
  }
  if (!options_.arena) return;
  enqueued_ = shared_from_this();
  options_.arena->enqueue(
      [](void* data) {
        const auto self = std::move(static_cast<Task*>(data)->enqueued_);
        self->try_run();
      },
      this);
}

bool Task::try_run() noexcept {
  int expected = kReady;
  if (!state_.compare_exchange_strong(expected, kRunning, std::memory_order_acq_rel)) return false;
  generation_.store(process::fork_generation(), std::memory_order_release);
  const process::RunningTask running;
  if (timed_) times_.start = now_nanoseconds();
  for (const Event& event : depends_on_) {
    const Error* failed = event.state() ? event.state()->error() : nullptr;
    if (!failed) continue;
    end(*failed);
    return true;
  }
  const Task* const outer = outer_ = std::exchange(running_task, this);
  end(work_());
  running_task = outer;
  return true;
}

bool Task::runs_here() const noexcept {
  for (const Task* task = running_task; task; task = task->outer_)
    if (task == this) return true;
  return false;
}

void Task::end(std::optional<Error> error) noexcept {
  if (timed_) times_.end = now_nanoseconds();
  if (error && options_.failures) options_.failures->add(options_.number, *error);
  std::vector<std::function<void()>> then;
  std::vector<Event> depends_on, after;  // destroyed outside the lock, as a long chain may be
  Work work;
  {
    std::lock_guard lock(mutex_);
    error_ = std::move(error);
    then.swap(then_);
    depends_on.swap(depends_on_);
    after.swap(after_);
    work.swap(work_);
    state_.store(kEnded, std::memory_order_release);
    changed_.notify_all();
  }
  for (const auto& call : then) call();
}

EventStatus Task::status() const noexcept {
  switch (state_.load(std::memory_order_acquire)) {
    case kEnded:
      return EventStatus::kComplete;
    case kRunning:
      return EventStatus::kRunning;
    default:
      return EventStatus::kSubmitted;
  }
}

Event Task::open_dependency() {
  std::lock_guard lock(mutex_);
  for (const auto* list : {&depends_on_, &after_})
    for (const Event& event : *list)
      if (!event.is_complete()) return event;
  return {};
}

void Task::block_while(State state) noexcept {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return state_.load(std::memory_order_relaxed) != state; });
}

void Task::end_if_lost() noexcept {
  int began = generation_.load(std::memory_order_acquire);
  const int now = process::fork_generation();
  if (began < 0 || began == now || !generation_.compare_exchange_strong(began, now)) return;
  end(Error(ErrorKind::kDevice, "event",
            "another thread was running the task when fork() made this process, which has no such "
            "thread; wait for the queue before fork()"));
}

void Task::wait() noexcept {
  process::before_blocking();
  const process::InterruptibleWait wait(process::InterruptibleWait::For::kAnyLaunch);
  // Follow the dependencies to a task that can run now, with an explicit stack because chains may
  // be long.
  std::vector<Event> stack;
  for (;;) {
    Task* task = stack.empty() ? this : dynamic_cast<Task*>(stack.back().state().get());
    if (!task) {
      stack.back().state()->wait();  // a task of another driver
      stack.pop_back();
      continue;
    }
    const int state = task->state_.load(std::memory_order_acquire);
    if (state == kPending) {
      if (Event open = task->open_dependency(); open.state()) {
        stack.push_back(std::move(open));
        continue;
      }
      // The task is not submitted yet, or its last dependency has just ended and has not notified
      // it.
      task->block_while(kPending);
      continue;
    }
    if (state == kReady) task->try_run();
    if (state == kRunning) {
      task->end_if_lost();
      task->block_while(kRunning);
    }
    if (task->state_.load(std::memory_order_acquire) != kEnded) continue;
    if (stack.empty()) return;
    stack.pop_back();
  }
}

std::optional<runtime::ProfilingTimes> Task::times() const noexcept {
  return options_.profiling ? std::optional(times_) : std::nullopt;
}

void Task::on_end(std::function<void()> then) {
  {
    std::lock_guard lock(mutex_);
    if (state_.load(std::memory_order_relaxed) != kEnded) {
      then_.push_back(std::move(then));
      return;
    }
  }
  then();
}

}  // namespace hither::drivers::native_cpu
