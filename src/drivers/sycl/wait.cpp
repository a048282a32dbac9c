#include "drivers/sycl/wait.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "drivers/sycl/fence.h"
#include "process/before_blocking.h"

namespace hither::drivers::sycl {
namespace {

constexpr std::chrono::microseconds kLongestPause{200};

bool has_ended(const ::sycl::event& event) {
  return event.get_info<::sycl::info::event::command_execution_status>() ==
         ::sycl::info::event_command_status::complete;
}

/// Polls with growing pauses.
template <typename Condition>
void wait_until(Condition&& condition) {
  for (std::chrono::microseconds pause{1}; !condition();
       pause = std::min(2 * pause, kLongestPause)) {
    process::before_blocking();
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

std::unique_lock<std::mutex> try_lock_wait() {
  static std::mutex mutex;
  return {mutex, std::try_to_lock};
}

void wait_for(::sycl::event& event, bool shared) {
  std::unique_lock<std::mutex> lock;
  wait_until([&] {
    return has_ended(event) || (!shared && is_at_device(event) && (lock = try_lock_wait()));
  });
  event.wait();  // throws the task's error
}

void wait_until_at_device(const ::sycl::event& event) {
  wait_until([&] { return is_at_device(event) || has_ended(event); });
}

}  // namespace hither::drivers::sycl
