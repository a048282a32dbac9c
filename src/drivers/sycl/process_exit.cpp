#include "drivers/sycl/process_exit.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "drivers/sycl/retired_queues.h"
#include "process/exit_gate.h"
#include "runtime/host_threads.h"

namespace hither::drivers::sycl {
namespace {

struct LeftTask {
  std::shared_ptr<runtime::EventState> task;
  std::shared_ptr<runtime::FailureLog> failures;
};

struct Queues {
  std::mutex mutex;
  std::vector<LeftTask> tasks;  ///< tasks that outlived their queues
  std::vector<::sycl::queue> in_use;
  RetiredQueues left;
  static Queues& process() {
    static Queues& queues = *new Queues;
    return queues;
  }
};

void wait_for_queues() {
  runtime::HostThreads::process().stop();
  process::InsideLibrary::close();
  std::vector<::sycl::queue> all;
  std::vector<LeftTask> tasks;
  {
    Queues& queues = Queues::process();
    std::lock_guard lock(queues.mutex);
    tasks.swap(queues.tasks);
    all = queues.in_use;
    queues.left.each([&](const ::sycl::queue& queue) { all.push_back(queue); });
  }
  for (::sycl::queue& queue : all) {
    try {
      queue.wait();
    } catch (...) {
      continue;  // not reported: the process is ending
    }
  }
  for (const LeftTask& left : tasks) {
    left.task->wait();
    left.failures->report();
  }
}

}  // namespace

void wait_for_queues_at_exit() { std::atexit(wait_for_queues); }

void remember_queue(const ::sycl::queue& queue) {
  Queues& queues = Queues::process();
  std::lock_guard lock(queues.mutex);
  queues.left.sweep();
  queues.in_use.push_back(queue);
}

void forget_queue(const ::sycl::queue& queue) noexcept {
  Queues& queues = Queues::process();
  std::lock_guard lock(queues.mutex);
  const auto found = std::find(queues.in_use.begin(), queues.in_use.end(), queue);
  if (found == queues.in_use.end()) return;
  queues.left.add(*found);
  queues.in_use.erase(found);
}

void report_at_exit(std::shared_ptr<runtime::EventState> task,
                    std::shared_ptr<runtime::FailureLog> failures) {
  Queues& queues = Queues::process();
  std::lock_guard lock(queues.mutex);
  std::erase_if(queues.tasks,
                [](const LeftTask& left) { return left.task->status() == EventStatus::kComplete; });
  queues.tasks.push_back({std::move(task), std::move(failures)});
}

}  // namespace hither::drivers::sycl
