#include "drivers/sycl/wait.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace hither::drivers::sycl {
namespace {

constexpr std::chrono::microseconds kLongestPause{200};

bool has_ended(const ::sycl::event& event) {
  return event.get_info<::sycl::info::event::command_execution_status>() ==
         ::sycl::info::event_command_status::complete;
}

}  // namespace

void wait_for(::sycl::event& event, bool shared) {
  static std::mutex mutex;
  std::unique_lock turn(mutex, std::defer_lock);
  for (std::chrono::microseconds pause{1}; !has_ended(event);
       pause = std::min(2 * pause, kLongestPause)) {
    if (!shared && turn.try_lock()) break;
    std::this_thread::sleep_for(pause);
  }
  event.wait();  // throws what it failed with
}

}  // namespace hither::drivers::sycl
