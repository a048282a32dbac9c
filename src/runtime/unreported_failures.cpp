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

struct Queues {
  std::mutex mutex;
  std::vector<std::weak_ptr<QueueState>> all;
  size_t sweep_at = 64;
  static Queues& process() {
    static Queues& queues = *new Queues;
    return queues;
  }
};

std::vector<std::shared_ptr<QueueState>> living_queues() {
  std::vector<std::shared_ptr<QueueState>> living;
  Queues& queues = Queues::process();
  std::lock_guard lock(queues.mutex);
  for (const auto& weak : queues.all)
    if (auto queue = weak.lock()) living.push_back(std::move(queue));
  return living;
}

/// How long the end of a process waits for kernels of destroyed queues. They may be endless.
constexpr std::chrono::seconds kMostWait(1);

void report_all() {
  HostThreads::process().wait_for_watched(std::chrono::steady_clock::now() + kMostWait);
  for (const auto& queue : living_queues()) {
    queue->driver->log_ended_failures();
    queue->failures->report();
  }
}

}  // namespace

void note_reported(const Error& error) noexcept {
  if (error.kind() != ErrorKind::kKernel) return;  // the others are not reported at exit
  for (const auto& queue : living_queues()) queue->failures->note_reported(error);
}

void report_failures_at_exit(const std::shared_ptr<QueueState>& queue) {
  // Registered after the driver's handlers, so it is called before them.
  static const int registered = std::atexit(report_all);
  (void)registered;
  Queues& queues = Queues::process();
  std::lock_guard lock(queues.mutex);
  if (queues.all.size() >= queues.sweep_at) {
    std::erase_if(queues.all, [](const auto& weak) { return weak.expired(); });
    queues.sweep_at = std::max<size_t>(64, 2 * queues.all.size());
  }
  queues.all.push_back(queue);
}

}  // namespace hither::runtime
