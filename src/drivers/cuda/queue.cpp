#include "drivers/cuda/queue.h"

#include <algorithm>
#include <cstring>

#include "drivers/cuda/kernel.h"
#include "drivers/cuda/transfer.h"
#include "error/current_error.h"
#include "runtime/host_threads.h"
#include "runtime/recycled.h"

namespace hither::drivers::cuda {
namespace {

/// The limit of tasks with undetermined errors; beyond it the queue waits for the oldest.
constexpr size_t kMostUndetermined = 512;
/// Up to this many bytes of pageable memory CUDA copies before it returns, without waiting for the
/// stream.
constexpr size_t kReadAtOnce = size_t{64} << 10;

}  // namespace

CudaQueue::CudaQueue(ContextPart part, QueueProperties properties,
                     std::shared_ptr<runtime::FailureLog> failures)
    : part_(std::move(part)),
      properties_(properties),
      failures_(std::move(failures)),
      lanes_(std::make_shared<Lanes>(part_.native, part_.clock, properties.in_order,
                                     properties.enable_profiling)) {
  if (properties.in_order) progress_ = std::make_shared<Progress>();
}

CudaQueue::~CudaQueue() {
  CudaQueue::log_ended_failures();
  // A record is in use until its kernel has ended.
  for (auto& task : may_fail_)
    if (task->status() != EventStatus::kComplete)
      runtime::HostThreads::process().run_after(std::move(task), [] {});
}

CudaQueue::Dependencies CudaQueue::sort(std::span<const Event> depends_on) const {
  Dependencies sorted;
  for (const Event& event : depends_on) {
    if (!event.state()) continue;
    const auto* known = DeviceTask::of(*event.state());
    const bool before_us = known && properties_.in_order && known->queue() == number_;
    if (before_us && !known->may_fail()) continue;
    if (event.is_complete()) {
      const Error* error = event.state()->error();
      if (error && !sorted.failed) sorted.failed = *error;
      continue;
    }
    if (!known) {
      sorted.host = true;
      continue;
    }
    if (!before_us) sorted.native.push_back(known->native());
    if (known->may_fail()) sorted.may_fail.push_back(event);
  }
  return sorted;
}

std::vector<Event> CudaQueue::open_host_tasks() {
  std::vector<Event> open;
  for (const auto& weak : host_tasks_) {
    auto task = weak.lock();
    if (task && task->status() != EventStatus::kComplete) open.emplace_back(std::move(task));
  }
  if (open.empty()) host_tasks_.clear();
  return open;
}

Event CudaQueue::failed(const Error& error) {
  failures_->add(submitted_++, error);
  std::optional<runtime::ProfilingTimes> times;
  const uint64_t now = properties_.enable_profiling ? runtime::now_nanoseconds() : 0;
  if (properties_.enable_profiling) times = runtime::ProfilingTimes{now, now, now};
  return Event(std::make_shared<runtime::EndedEvent>(error, times));
}

Event CudaQueue::submit(Command command, std::span<const Event> depends_on, bool after_all) {
  const auto kept = [&] { return std::move(command); };
  return submit(command, std::cref(kept), depends_on, nullptr, after_all);
}

Event CudaQueue::submit(const Command& command, const std::function<Command()>& kept,
                        std::span<const Event> depends_on, std::unique_ptr<ErrorReport> report,
                        bool after_all) {
  std::unique_lock lock(mutex_);
  Dependencies dependencies = sort(depends_on);
  if (!dependencies.failed) dependencies.failed = part_.native->fault();
  if (dependencies.failed) return failed(*dependencies.failed);
  const bool held =
      dependencies.host || ((properties_.in_order || after_all) && !open_host_tasks().empty());
  if (!held) return submit_native(command, std::move(dependencies), std::move(report), after_all);
  return submit_to_host(lock, work_of(kept(), std::move(report), after_all), depends_on, after_all);
}

Event CudaQueue::submit_native(const Command& command, Dependencies dependencies,
                               std::unique_ptr<ErrorReport> report, bool after_all) {
  if (after_all && !properties_.in_order)
    for (auto& end : lanes_->ends()) dependencies.native.push_back(std::move(end));
  auto task = std::allocate_shared<DeviceTask>(
      runtime::RecyclingAllocator<DeviceTask>(),
      DeviceTask::Options{.marks = lanes_->submit(command, dependencies.native),
                          .failures = failures_,
                          .number = submitted_++,
                          .queue = number_,
                          .progress = progress_,
                          .report = std::move(report),
                          .depends_on = std::move(dependencies.may_fail)});
  if (properties_.in_order) last_ = task;
  if (task->may_fail()) look_after(task);
  return Event(std::move(task));
}

void CudaQueue::look_after(std::shared_ptr<DeviceTask> task) {
  may_fail_.push_back(std::move(task));
  while (may_fail_.front()->status() == EventStatus::kComplete ||
         may_fail_.size() > kMostUndetermined) {
    may_fail_.front()->wait();
    may_fail_.pop_front();
    if (may_fail_.empty()) return;
  }
}

runtime::HostTask::Work CudaQueue::work_of(Command command, std::unique_ptr<ErrorReport> report,
                                           bool after_all) const {
  return [lanes = lanes_, command = std::move(command),
          report = std::shared_ptr<ErrorReport>(std::move(report)),
          after_all](runtime::ProfilingTimes& times) -> std::optional<Error> {
    try {
      const Marks marks = lanes->submit(command, after_all ? lanes->ends() : Lanes::Waits());
      const CUresult result = marks.end->wait();
      lanes->context().check(result, "cuEventSynchronize", "device task");
      if (const auto native = marks.times()) times = *native;
      return report ? report->read() : std::nullopt;
    } catch (...) {
      return error::current_error("Queue");
    }
  };
}

Event CudaQueue::submit_to_host(std::unique_lock<std::mutex>& lock, runtime::HostTask::Work work,
                                std::span<const Event> depends_on, bool after_all) {
  std::vector<Event> after;
  if (properties_.in_order || after_all) after = open_host_tasks();
  if (properties_.in_order) {
    if (after.empty() && last_) after.emplace_back(last_);
    host_tasks_.clear();  // the last one ends last
  }
  auto task = std::make_shared<runtime::HostTask>(
      runtime::HostTask::Options{.failures = failures_,
                                 .number = submitted_++,
                                 .profiling = properties_.enable_profiling,
                                 .queue = number_},
      std::move(work));
  if (host_tasks_.size() >= sweep_at_) {
    std::erase_if(host_tasks_, [](const std::weak_ptr<runtime::HostTask>& weak) {
      const auto known = weak.lock();
      return !known || known->status() == EventStatus::kComplete;
    });
    sweep_at_ = std::max<size_t>(64, 2 * host_tasks_.size());
  }
  host_tasks_.push_back(task);
  lock.unlock();
  task->submit({depends_on.begin(), depends_on.end()}, std::move(after));
  return Event(std::move(task));
}

Event CudaQueue::submit_work(std::function<void()> work, std::span<const Event> depends_on,
                             const char* where) {
  std::unique_lock lock(mutex_);
  if (Dependencies dependencies = sort(depends_on); dependencies.failed)
    return failed(*dependencies.failed);
  return submit_to_host(
      lock,
      [work = std::move(work), where](runtime::ProfilingTimes&) -> std::optional<Error> {
        try {
          work();
          return std::nullopt;
        } catch (...) {
          return error::current_error(where);
        }
      },
      depends_on, false);
}

Event CudaQueue::launch(const Kernel& kernel, const NdRange& range,
                        std::span<const std::byte> arguments, std::span<const Event> depends_on) {
  std::unique_ptr<ErrorReport> report;
  if (kernel.state()->image->reports_errors)
    report = std::make_unique<ErrorReport>(part_.records, kernel, range);
  void* const record = report ? report->address() : nullptr;
  const auto launch_in = [index = part_.index](const Kernel& of, CUstream stream,
                                               const NdRange& over,
                                               std::span<const std::byte> packed, void* reported) {
    const auto& cuda_kernel = static_cast<const CudaKernel&>(*of.state());
    cuda_kernel.functions[index]->launch(stream, *cuda_kernel.image, over, packed, reported);
  };
  const auto now = [&](CUstream stream) { launch_in(kernel, stream, range, arguments, record); };
  const auto kept = [&]() -> Command {
    std::vector<std::byte> copied(arguments.begin(), arguments.end());
    return [kernel, range, record, launch_in, copied = std::move(copied)](CUstream stream) {
      launch_in(kernel, stream, range, copied, record);
    };
  };
  return submit(std::cref(now), std::cref(kept), depends_on, std::move(report), false);
}

Event CudaQueue::copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) {
  bool to_pageable = false, from_pageable = false;
  {
    const Current current(*part_.native);
    to_pageable = is_pageable(to);
    from_pageable = is_pageable(from);
  }
  if (to_pageable || from_pageable)
    return copy_pageable(to, from, bytes, to_pageable, from_pageable, depends_on);
  return submit(
      [=, native = part_.native](CUstream stream) { copy_in(stream, *native, to, from, bytes); },
      depends_on);
}

bool CudaQueue::reaches(const runtime::DriverDevice& device) const {
  const auto* gpu = dynamic_cast<const CudaDevice*>(&device);
  return gpu && cuda::reaches(part_.native->device(), gpu->native());
}

Event CudaQueue::copy_pageable(void* to, const void* from, size_t bytes, bool to_pageable,
                               bool from_pageable, std::span<const Event> depends_on) {
  const auto staging = part_.staging;
  if (to_pageable && from_pageable)
    return submit_work([=] { std::memmove(to, from, bytes); }, depends_on, "Queue.copy");
  if (to_pageable)
    return submit_work([=] { staging->download(to, from, bytes); }, depends_on, "Queue.copy");
  if (bytes > kReadAtOnce)
    return submit_work([=] { staging->upload(to, from, bytes); }, depends_on, "Queue.copy");
  // Among CUDA's commands only downloads write pageable memory, and they are host tasks. So without
  // unfinished host tasks `from` already has its final contents.
  return submit(
      [=, native = part_.native](CUstream stream) { copy_in(stream, *native, to, from, bytes); },
      depends_on);
}

Event CudaQueue::fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
                      std::span<const Event> depends_on) {
  const Pattern copied(pattern, pattern_bytes);
  return submit(
      [=, native = part_.native](CUstream stream) { fill_in(stream, *native, to, copied, count); },
      depends_on);
}

Event CudaQueue::prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) {
  if (!part_.device->moves_shared()) return submit_barrier(depends_on);
  bool is_managed = false;
  {
    const Current current(*part_.native);
    is_managed = is_managed_memory(address);
  }
  if (!is_managed) return submit_barrier(depends_on);  // a prefetch affects shared USM only
  return submit(
      [=, native = part_.native](CUstream stream) {
        native->check(api().cuMemPrefetchAsync(reinterpret_cast<uintptr_t>(address), bytes,
                                               native->device(), stream),
                      "cuMemPrefetchAsync", "Queue.prefetch");
      },
      depends_on);
}

Event CudaQueue::submit_host(std::function<void()> work, std::span<const Event> depends_on) {
  return submit_work(std::move(work), depends_on, "host task");
}

Event CudaQueue::submit_barrier(std::span<const Event> depends_on) {
  return submit([](CUstream) {}, depends_on, true);
}

void CudaQueue::wait() {
  if (runtime::HostTask::runs_here(number_)) return;  // the wait would deadlock
  std::vector<Event> open;
  uint64_t submitted = 0;
  {
    std::lock_guard lock(mutex_);
    open = open_host_tasks();
    submitted = submitted_;
  }
  for (const Event& task : open) task.state()->wait();
  if (const CUresult result = lanes_->wait(); result != kSuccess)
    failures_->add(UINT64_MAX, part_.native->failure(result, "cuStreamSynchronize", "Queue.wait"));
  else if (progress_ && submitted > 0)
    progress_->note_ended(submitted - 1);
  std::deque<std::shared_ptr<DeviceTask>> ended;
  {
    std::lock_guard lock(mutex_);
    ended.swap(may_fail_);
  }
  for (const auto& task : ended) task->wait();
}

void CudaQueue::log_ended_failures() noexcept {
  std::lock_guard lock(mutex_);
  for (const auto& task : may_fail_)
    if (task->status() == EventStatus::kComplete) task->wait();
}

}  // namespace hither::drivers::cuda
