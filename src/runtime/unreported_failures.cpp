#include "runtime/unreported_failures.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/host_threads.h"
#include "runtime/queue_state.h"

namespace hither::runtime {
namespace {

/// A queue and its failures, which unfinished tasks keep after the queue is destroyed.
struct Known {
  std::weak_ptr<QueueState> queue;
  std::weak_ptr<FailureLog> failures;
};

struct Queues {
  std::mutex mutex;
  std::vector<Known> all;
  size_t sweep_at = 64;
  static Queues& process() {
    static Queues& queues = *new Queues;
    return queues;
  }
};

/// How long the end of a process waits for kernels of destroyed queues. They may be endless.
constexpr std::chrono::seconds kMostWait(1);

void report_all() {
  HostThreads::process().wait_for_watched(std::chrono::steady_clock::now() + kMostWait);
  std::vector<Known> all;
  {
    Queues& queues = Queues::process();
    std::lock_guard lock(queues.mutex);
    all = queues.all;
  }
  for (const Known& known : all) {
    if (const auto queue = known.queue.lock()) queue->driver->log_ended_failures();
    if (const auto failures = known.failures.lock()) failures->report();
  }
}

}  // namespace

void report_failures_at_exit(const std::shared_ptr<QueueState>& queue) {
  // Registered after the driver's handlers, so it is called before them.
  static const int registered = std::atexit(report_all);
  (void)registered;
  Queues& queues = Queues::process();
  std::lock_guard lock(queues.mutex);
  if (queues.all.size() >= queues.sweep_at) {
    std::erase_if(queues.all, [](const Known& known) { return known.failures.expired(); });
    queues.sweep_at = std::max<size_t>(64, 2 * queues.all.size());
  }
  queues.all.push_back({queue, queue->failures});
}

}  // namespace hither::runtime
