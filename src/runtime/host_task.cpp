#include "runtime/host_task.h"

#include <chrono>

#include "process/before_blocking.h"
#include "profiling/record.h"
#include "runtime/host_threads.h"

namespace hither::runtime {
namespace {

std::atomic<uint64_t> queues_made{0};
thread_local uint64_t running_queue = 0;

}  // namespace

uint64_t now_nanoseconds() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

HostTask::HostTask(Options options, Work work)
    : options_(std::move(options)), work_(std::move(work)) {
  if (options_.profiling) times_.submit = now_nanoseconds();
}

uint64_t HostTask::new_queue_number() noexcept { return queues_made.fetch_add(1) + 1; }

bool HostTask::runs_here(uint64_t queue) noexcept { return running_queue == queue; }

void HostTask::submit(std::vector<Event> depends_on, std::vector<Event> after) {
  std::vector<Event> all = depends_on;
  all.insert(all.end(), std::make_move_iterator(after.begin()),
             std::make_move_iterator(after.end()));
  depends_on_ = std::move(depends_on);
  open_dependencies_.fetch_add(all.size(), std::memory_order_relaxed);
  for (const Event& event : all) {
    if (event.state())
      event.state()->on_end([self = shared_from_this()] { self->dependency_ended(); });
    else
      dependency_ended();
  }
  dependency_ended();  // the dependency that the constructor counts
}

void HostTask::dependency_ended() {
  if (open_dependencies_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  HostThreads::process().run([self = shared_from_this()] { self->run(); });
}

void HostTask::run() noexcept {
  state_.store(kRunning, std::memory_order_release);
  if (options_.profiling) times_.start = times_.end = now_nanoseconds();
  for (const Event& event : depends_on_) {
    const Error* failed = event.state() ? event.state()->error() : nullptr;
    if (failed) return end(*failed);
  }
  running_queue = options_.queue;
  if (options_.profiling) times_.end = 0;
  const bool profiled = profiling::is_on();
  if (profiled) ran_.start = now_nanoseconds();
  auto error = work_(times_);
  if (profiled) ran_.end = now_nanoseconds();
  running_queue = 0;
  if (options_.profiling && times_.end == 0) times_.end = now_nanoseconds();
  end(std::move(error));
}

void HostTask::end(std::optional<Error> error) noexcept {
  if (error) options_.failures->add(options_.number, *error);
  std::vector<std::function<void()>> then;
  const std::vector<Event> dependencies = std::move(depends_on_);  // destroyed outside the lock
  const Work work = std::move(work_);
  {
    std::lock_guard lock(mutex_);
    error_ = std::move(error);
    then.swap(then_);
    state_.store(kEnded, std::memory_order_release);
    ended_.notify_all();
  }
  for (const auto& call : then) call();
}

EventStatus HostTask::status() const noexcept {
  switch (state_.load(std::memory_order_acquire)) {
    case kEnded:
      return EventStatus::kComplete;
    case kRunning:
      return EventStatus::kRunning;
    default:
      return EventStatus::kSubmitted;
  }
}

void HostTask::wait() noexcept {
  if (state_.load(std::memory_order_acquire) == kEnded) return;
  process::before_blocking();
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return state_.load(std::memory_order_relaxed) == kEnded; });
}

std::optional<ProfilingTimes> HostTask::times() const noexcept {
  return options_.profiling ? std::optional(times_) : std::nullopt;
}

void HostTask::on_end(std::function<void()> then) {
  {
    std::lock_guard lock(mutex_);
    if (state_.load(std::memory_order_relaxed) != kEnded) {
      then_.push_back(std::move(then));
      return;
    }
  }
  then();
}

}  // namespace hither::runtime
