#include "drivers/cuda/native_context.h"

#include <chrono>
#include <thread>

#include "drivers/cuda/cublas.h"
#include "drivers/cuda/cusparse.h"
#include "process/before_blocking.h"

namespace hither::drivers::cuda {
namespace {

/// A thread spins for this time, because sleeping and waking costs more.
constexpr std::chrono::microseconds kSpin(50);
// A thread that sleeps wakes up tens of microseconds late, so it first asks for a while, and lets
// other threads run meanwhile.
constexpr std::chrono::milliseconds kAwake(1);

}  // namespace

NativeContext::NativeContext(CUdevice device, bool primary) : device_(device), primary_(primary) {
  if (primary) {
    cuda::check(api().cuDevicePrimaryCtxRetain(&context_, device), "cuDevicePrimaryCtxRetain",
                "Context");
    return;
  }
  cuda::check(api().cuCtxCreate(&context_, 0, device), "cuCtxCreate", "Context");
  CUcontext popped = nullptr;  // the new context is the thread's current one
  api().cuCtxPopCurrent(&popped);
}

NativeContext::~NativeContext() {
  if (!primary_) {
    {
      const Current current(*this);
      retired_.clear();
    }
    api().cuCtxDestroy(context_);  // and all its objects
    return;
  }
  unload();
  {
    const Current current(*this);
    for (const auto& events : events_)
      for (CUevent event : events) api().cuEventDestroy(event);
    for (const Sleeper& sleeper : sleepers_) {
      api().cuEventDestroy(sleeper.event);
      api().cuStreamDestroy(sleeper.stream);
    }
  }
  api().cuDevicePrimaryCtxRelease(device_);
}

Error NativeContext::failure(CUresult result, const char* call, const char* where) {
  if (!is_sticky(result) && !lost_.load(std::memory_order_acquire))
    return error_of(result, call, where);
  std::lock_guard lock(mutex_);
  if (!fault_) fault_ = error_of(result, call, where);
  lost_.store(true, std::memory_order_release);
  return *fault_;
}

std::optional<Error> NativeContext::fault() const {
  if (!lost_.load(std::memory_order_acquire)) return std::nullopt;
  std::lock_guard lock(mutex_);
  return fault_;
}

CUevent NativeContext::take_event(bool timed) {
  {
    std::lock_guard lock(events_lock_);
    auto& events = events_[timed];
    if (!events.empty()) {
      CUevent event = events.back();
      events.pop_back();
      return event;
    }
  }
  const Current current(*this);
  CUevent event = nullptr;
  check(api().cuEventCreate(&event, timed ? 0 : kEventDisableTiming), "cuEventCreate", "Event");
  return event;
}

void NativeContext::give_event(CUevent event, bool timed) noexcept {
  std::lock_guard lock(events_lock_);
  events_[timed].push_back(event);
}

std::optional<NativeContext::Sleeper> NativeContext::take_sleeper() const noexcept {
  {
    std::lock_guard lock(mutex_);
    if (!sleepers_.empty()) {
      const Sleeper sleeper = sleepers_.back();
      sleepers_.pop_back();
      return sleeper;
    }
  }
  Sleeper made;
  if (api().cuStreamCreate(&made.stream, kStreamNonBlocking) != kSuccess) return std::nullopt;
  if (api().cuEventCreate(&made.event, kEventBlockingSync | kEventDisableTiming) == kSuccess)
    return made;
  api().cuStreamDestroy(made.stream);
  return std::nullopt;
}

CUresult NativeContext::sleep_until(CUevent event) const noexcept {
  const std::optional<Sleeper> sleeper = take_sleeper();
  if (!sleeper) return api().cuEventSynchronize(event);
  // If memory is short these calls may fail, which does not concern the event.
  const bool follows = api().cuStreamWaitEvent(sleeper->stream, event, 0) == kSuccess &&
                       api().cuEventRecord(sleeper->event, sleeper->stream) == kSuccess;
  const CUresult result = api().cuEventSynchronize(follows ? sleeper->event : event);
  std::lock_guard lock(mutex_);
  sleepers_.push_back(*sleeper);
  return result;
}

void NativeContext::retire(CUmodule module,
                           std::vector<std::unique_ptr<RepeatedLaunch>> launches) noexcept {
  std::lock_guard lock(mutex_);
  retired_.push_back({module, std::move(launches)});
}

void NativeContext::unload() noexcept {
  std::vector<Retired> retired;
  {
    std::lock_guard lock(mutex_);
    retired.swap(retired_);
  }
  if (retired.empty()) return;
  const Current current(*this);
  api().cuCtxSynchronize();
  for (Retired& each : retired) {
    each.launches.clear();
    api().cuModuleUnload(each.module);
  }
}

void NativeEvent::record(CUstream stream) {
  context_->check(api().cuEventRecord(event_, stream), "cuEventRecord", "Queue");
}

CUresult NativeEvent::query() const noexcept {
  const Current current(*context_);
  return api().cuEventQuery(event_);
}

CUresult NativeEvent::wait() const noexcept {
  const Current current(*context_);
  const auto start = std::chrono::steady_clock::now();
  do {
    const CUresult result = api().cuEventQuery(event_);
    if (result != kNotReady) return result;
  } while (std::chrono::steady_clock::now() - start < kSpin);
  process::before_blocking();
  while (std::chrono::steady_clock::now() - start < kAwake) {
    std::this_thread::yield();
    const CUresult result = api().cuEventQuery(event_);
    if (result != kNotReady) return result;
  }
  return context_->sleep_until(event_);
}

NativeStream::NativeStream(std::shared_ptr<NativeContext> context) : context_(std::move(context)) {
  const Current current(*context_);
  context_->check(api().cuStreamCreate(&stream_, kStreamNonBlocking), "cuStreamCreate", "Queue");
}

NativeStream::~NativeStream() {
  const Current current(*context_);
  forget_cublas(stream_);
  forget_cusparse(stream_);
  api().cuStreamDestroy(stream_);  // its work continues
}

void NativeStream::wait_for(const NativeEvent& event) {
  context_->check(api().cuStreamWaitEvent(stream_, event.get(), 0), "cuStreamWaitEvent", "Queue");
}

CUresult NativeStream::wait() const noexcept {
  process::before_blocking();
  const Current current(*context_);
  return api().cuStreamSynchronize(stream_);
}

}  // namespace hither::drivers::cuda
