#include "drivers/null/queue.h"

#include <chrono>
#include <cstring>

#include "error/current_error.h"

namespace hither::drivers::null {
namespace {

std::atomic<uint64_t> queues_made{0};

uint64_t now_nanoseconds() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

NullQueue::NullQueue(QueueProperties properties, std::shared_ptr<runtime::FailureLog> failures)
    : number_(queues_made.fetch_add(1)),
      profiling_(properties.enable_profiling),
      failures_(std::move(failures)) {}

template <class Work>
Event NullQueue::run(std::span<const Event> depends_on, const Work& work) {
  const uint64_t submitted = profiling_ ? now_nanoseconds() : 0;
  std::optional<Error> error;
  if (!depends_on.empty()) error = runtime::wait_for_all(depends_on);
  const uint64_t started = profiling_ ? now_nanoseconds() : 0;
  if (!error) {
    try {
      work();
    } catch (...) {
      error = error::current_error("host task");
    }
  }
  if (error) failures_->add(failed_.fetch_add(1), *error);
  if (!error && !profiling_) return {};
  std::optional<runtime::ProfilingTimes> times;
  if (profiling_) times = runtime::ProfilingTimes{submitted, started, now_nanoseconds()};
  return Event(std::make_shared<runtime::EndedEvent>(std::move(error), times));
}

Event NullQueue::launch(const Kernel& kernel, const NdRange& range,
                        std::span<const std::byte> arguments, std::span<const Event> depends_on) {
  return run(depends_on, [&] {
    Recording::process().add_launch(number_, kernel, range, arguments, depends_on.size());
  });
}

Event NullQueue::copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) {
  return run(depends_on, [&] {
    Recording::process().add(NullCommand::kCopy, number_, to, from, bytes, depends_on.size());
    std::memmove(to, from, bytes);
  });
}

Event NullQueue::fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
                      std::span<const Event> depends_on) {
  return run(depends_on, [&] {
    Recording::process().add(NullCommand::kFill, number_, to, nullptr, pattern_bytes * count,
                             depends_on.size());
    for (size_t i = 0; i < count; ++i)
      std::memcpy(static_cast<char*>(to) + i * pattern_bytes, pattern, pattern_bytes);
  });
}

Event NullQueue::prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) {
  return run(depends_on, [&] {
    Recording::process().add(NullCommand::kPrefetch, number_, address, nullptr, bytes,
                             depends_on.size());
  });
}

Event NullQueue::submit_host(std::function<void()> work, std::span<const Event> depends_on) {
  return run(depends_on, [&] {
    Recording::process().add(NullCommand::kHost, number_, nullptr, nullptr, 0, depends_on.size());
    work();
  });
}

Event NullQueue::submit_barrier(std::span<const Event> depends_on) {
  return run(depends_on, [&] {
    Recording::process().add(NullCommand::kBarrier, number_, nullptr, nullptr, 0,
                             depends_on.size());
  });
}

}  // namespace hither::drivers::null
