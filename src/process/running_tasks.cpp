#include "process/running_tasks.h"

#include <pthread.h>

namespace hither::process {
namespace {

std::atomic<int> running{0};
std::atomic<int> generation{0};
thread_local int running_here = 0;

const int at_fork = pthread_atfork(nullptr, nullptr, [] {
  running.store(running_here);
  generation.fetch_add(1);
});

}  // namespace

RunningTask::RunningTask() noexcept {
  running.fetch_add(1, std::memory_order_relaxed);
  ++running_here;
}

RunningTask::~RunningTask() {
  running.fetch_sub(1, std::memory_order_release);
  --running_here;
}

int tasks_of_other_threads() noexcept {
  return running.load(std::memory_order_acquire) - running_here;
}

int fork_generation() noexcept { return generation.load(std::memory_order_relaxed); }

}  // namespace hither::process
