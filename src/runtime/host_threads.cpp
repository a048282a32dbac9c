#include "runtime/host_threads.h"

#include <chrono>
#include <system_error>
#include <thread>

namespace hither::runtime {
namespace {

constexpr std::chrono::seconds kIdle(5);

}  // namespace

HostThreads& HostThreads::process() {
  static HostThreads& threads = *new HostThreads;
  return threads;
}

void HostThreads::run(std::function<void()> job) {
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    if (stopped_) return;
    if (idle_ >= jobs_.size()) return arrived_.notify_one();
  }
  try {
    std::thread([this] { work(); }).detach();
  } catch (const std::system_error&) {
    work();  // no thread can be started: run the jobs on this one
  }
}

void HostThreads::work() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    if (jobs_.empty()) {
      ++idle_;
      const bool more = arrived_.wait_for(lock, kIdle, [&] { return !jobs_.empty(); });
      --idle_;
      if (!more) return;
    }
    const auto job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job();
    lock.lock();
  }
}

void HostThreads::stop() {
  std::lock_guard lock(mutex_);
  stopped_ = true;
}

void HostThreads::run_after(std::shared_ptr<EventState> task, std::function<void()> then) {
  {
    std::lock_guard lock(mutex_);
    watched_.push_back({std::move(task), std::move(then)});
    if (watching_) return;
    watching_ = true;
  }
  run([this] { watch(); });
}

void HostThreads::wait_for_watched(std::chrono::steady_clock::time_point end) {
  for (;;) {
    {
      std::lock_guard lock(mutex_);
      if (!watching_ || stopped_) return;
    }
    if (std::chrono::steady_clock::now() >= end) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void HostThreads::watch() {
  for (;;) {
    Watched next;
    {
      std::lock_guard lock(mutex_);
      if (watched_.empty()) {
        watching_ = false;
        return;
      }
      next = std::move(watched_.front());
      watched_.pop_front();
    }
    next.task->wait();
    next.then();
  }
}

}  // namespace hither::runtime
