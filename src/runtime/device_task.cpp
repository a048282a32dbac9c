#include "runtime/device_task.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <typeinfo>

#include "error/current_error.h"
#include "process/before_blocking.h"
#include "process/interruption.h"
#include "runtime/host_threads.h"

namespace hither::runtime {
namespace {

using Clock = std::chrono::steady_clock;

/// An interruptible wait keeps the GIL for this time, if the thread holds it.
constexpr std::chrono::microseconds kKeepsGil(50);
/// Then it queries without a pause up to this time. After it, it sleeps between two queries for a
/// 64th of the time that it has waited so far, and the system's delay of about 60 us.
constexpr std::chrono::milliseconds kSpin(2);
constexpr Clock::duration kLongestPause = std::chrono::milliseconds(5);

}  // namespace

bool DeviceTask::wait_unless_interrupted() noexcept {
  using process::InterruptibleWait;
  if (is_finished()) return true;
  if (process::this_thread_is_interruptible() && !options_.on_host_cores) {
    const InterruptibleWait scope(InterruptibleWait::For::kDevice);
    const auto start = Clock::now();
    while (!has_ended()) {
      const auto waited = Clock::now() - start;
      if (waited < kKeepsGil) continue;
      process::before_blocking();
      if (scope.is_interrupted()) return false;
      if (waited < kSpin)
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::min(waited / 64, kLongestPause));
    }
  }
  finish();
  return true;
}

void DeviceTask::finish() const noexcept {
  if (is_finished()) return;
  std::lock_guard lock(mutex_);
  if (finished_.load(std::memory_order_relaxed)) return;
  try {
    wait_for_end();
    for (const Event& dependency : options_.depends_on)
      if (!error_) error_ = dependency.wait_for_error();
    if (!error_) error_ = native_error();
    if (!error_ && options_.report) error_ = options_.report->read();
  } catch (...) {
    error_ = error::current_error("device task");
  }
  if (error_) options_.failures->add(options_.number, *error_);
  options_.depends_on.clear();
  options_.report.reset();
  finished_.store(true, std::memory_order_release);
}

const Error* DeviceTask::error() const noexcept {
  finish();
  return error_ ? &*error_ : nullptr;
}

void DeviceTask::on_end(std::function<void()> then) {
  if (status() == EventStatus::kComplete) return then();
  HostThreads::process().run_after(shared_from_this(), std::move(then));
}

bool DeviceTask::follows(const EventState& earlier) const noexcept {
  if (!options_.in_order || typeid(earlier) != typeid(*this)) return false;
  const auto& task = static_cast<const DeviceTask&>(earlier);
  return task.options_.queue == options_.queue && task.options_.number < options_.number &&
         !task.may_fail_;
}

}  // namespace hither::runtime
