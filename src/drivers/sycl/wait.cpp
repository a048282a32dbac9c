#include "drivers/sycl/wait.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace hither::drivers::sycl {
namespace {

constexpr std::chrono::microseconds kLongestPause{200};

/// Until it has ended, or it is this thread's turn, which lasts as long as `turn`.
template <class HasEnded>
void ask(HasEnded has_ended, std::unique_lock<std::mutex>* turn) {
  for (std::chrono::microseconds pause{1}; !has_ended();
       pause = std::min(2 * pause, kLongestPause)) {
    if (turn && turn->try_lock()) return;
    std::this_thread::sleep_for(pause);
  }
}

std::unique_lock<std::mutex> next_turn() {
  static std::mutex mutex;
  return {mutex, std::defer_lock};
}

}  // namespace

void wait_for(::sycl::event& event, bool shared) {
  using ::sycl::info::event_command_status;
  using ::sycl::info::event::command_execution_status;
  auto turn = next_turn();
  ask([&] { return event.get_info<command_execution_status>() == event_command_status::complete; },
      shared ? nullptr : &turn);
  event.wait();  // throws what it failed with
}

void wait_for(::sycl::queue& queue) {
  auto turn = next_turn();
  ask([&] { return queue.ext_oneapi_empty(); }, &turn);
  queue.wait_and_throw();
}

}  // namespace hither::drivers::sycl
