#include "python/interpreter/fork.h"

#include <chrono>
#include <thread>

#include <pthread.h>

#include "process/running_tasks.h"
#include "python/interpreter/nanobind.h"

namespace hither::python {

std::atomic<int> threads_without_gil{0};

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kLongestWait(2);
constexpr std::chrono::milliseconds kWithGil(10), kWithoutGil(1);

/// A child of fork() has no other threads.
const int at_fork = pthread_atfork(nullptr, nullptr, [] { threads_without_gil.store(0); });

bool all_have_left(Clock::time_point end) {
  while (threads_without_gil.load(std::memory_order_acquire) > 0 ||
         process::tasks_of_other_threads() > 0) {
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

/// Also waits for tasks that run on other threads, because the child has no such threads. Holds
/// the GIL while it waits, so that threads that have left do not enter again before the fork.
/// Releases it every 10 ms, because a thread may need it to go on, for a host task in Python.
void before_fork() {
  const auto end = Clock::now() + kLongestWait;
  while (!all_have_left(Clock::now() + kWithGil) && Clock::now() < end) {
    const nb::gil_scoped_release release;
    std::this_thread::sleep_for(kWithoutGil);
  }
}

}  // namespace

void wait_for_threads_before_fork() {
  nb::module_::import_("os").attr("register_at_fork")(nb::arg("before") =
                                                          nb::cpp_function(before_fork));
}

}  // namespace hither::python
