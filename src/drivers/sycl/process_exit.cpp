#include "drivers/sycl/process_exit.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "runtime/exit_gate.h"
#include "runtime/host_threads.h"

namespace hither::drivers::sycl {
namespace {

struct Queues {
  std::mutex mutex;
  std::vector<::sycl::queue> in_use, left;
  static Queues& process() {
    static Queues& queues = *new Queues;
    return queues;
  }
};

bool is_idle(const ::sycl::queue& queue) noexcept {
  try {
    return queue.ext_oneapi_empty();
  } catch (...) {
    return true;  // nothing that waiting would help
  }
}

void wait_for_queues() {
  runtime::HostThreads::process().stop();
  runtime::InsideRuntime::close();
  std::vector<::sycl::queue> all;
  {
    Queues& queues = Queues::process();
    std::lock_guard lock(queues.mutex);
    all = queues.in_use;
    all.insert(all.end(), queues.left.begin(), queues.left.end());
  }
  for (::sycl::queue& queue : all) {
    try {
      queue.wait();
    } catch (...) {
      continue;  // the process ends; nobody is left to tell
    }
  }
}

}  // namespace

void wait_for_queues_at_exit() { std::atexit(wait_for_queues); }

void remember_queue(const ::sycl::queue& queue) {
  Queues& queues = Queues::process();
  std::lock_guard lock(queues.mutex);
  std::erase_if(queues.left, is_idle);
  queues.in_use.push_back(queue);
}

void forget_queue(const ::sycl::queue& queue) noexcept {
  Queues& queues = Queues::process();
  std::lock_guard lock(queues.mutex);
  const auto found = std::find(queues.in_use.begin(), queues.in_use.end(), queue);
  if (found == queues.in_use.end()) return;
  if (!is_idle(*found)) queues.left.push_back(*found);
  queues.in_use.erase(found);
}

}  // namespace hither::drivers::sycl
