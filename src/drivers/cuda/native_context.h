// A context of CUDA: one device's, its primary one or one of our own.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/cuda/checked.h"
#include "drivers/cuda/repeated_launch.h"
#include "runtime/spin_lock.h"

namespace hither::drivers::cuda {

/// Shared by all that lives in it, tasks too. Thread-safe.
class NativeContext {
 public:
  /// The primary context is the one that other libraries in the process use.
  NativeContext(CUdevice device, bool primary);
  ~NativeContext();
  NativeContext(const NativeContext&) = delete;
  NativeContext& operator=(const NativeContext&) = delete;

  CUcontext get() const noexcept { return context_; }
  CUdevice device() const noexcept { return device_; }
  bool is_primary() const noexcept { return primary_; }

  /// Throws unless `result` is success; remembers a fault that loses the context.
  void check(CUresult result, const char* call, const char* where) {
    if (result != kSuccess) throw failure(result, call, where);
  }
  /// The error of a result that is no success: of a lost context always the same one.
  Error failure(CUresult result, const char* call, const char* where);
  /// Why the context is lost, if it is.
  std::optional<Error> fault() const;

  /// Whether other libraries have memory of it, or we have memory of theirs.
  bool is_shared() const noexcept { return shared_.load(std::memory_order_acquire); }
  void share() noexcept { shared_.store(true, std::memory_order_release); }

  /// An event, and back. Those with times are slower.
  CUevent take_event(bool timed);
  void give_event(CUevent event, bool timed) noexcept;
  /// Sleeps until a recorded event has happened.
  CUresult sleep_until(CUevent event) const noexcept;
  /// A module that tasks may still use, and its graphs. unload() waits for all tasks and lets go of
  /// what was retired; when the process ends, nobody does.
  void retire(CUmodule module, std::vector<std::unique_ptr<RepeatedLaunch>> launches) noexcept;
  void unload() noexcept;

 private:
  /// What a sleeping thread waits for. An event that wakes a thread takes a microsecond longer to
  /// record, so those of tasks do not, and a stream brings the two together.
  struct Sleeper {
    CUstream stream = nullptr;
    CUevent event = nullptr;
  };
  std::optional<Sleeper> take_sleeper() const noexcept;

  const CUdevice device_;
  const bool primary_;
  CUcontext context_ = nullptr;
  std::atomic<bool> lost_{false};
  std::atomic<bool> shared_{false};
  runtime::SpinLock events_lock_;  ///< of events_, which every task takes and gives
  std::vector<CUevent> events_[2];
  mutable std::mutex mutex_;  ///< of what follows
  std::optional<Error> fault_;
  mutable std::vector<Sleeper> sleepers_;
  struct Retired {
    CUmodule module;
    std::vector<std::unique_ptr<RepeatedLaunch>> launches;
  };
  std::vector<Retired> retired_;
};

/// Makes a context this thread's current one, for a while.
class Current {
 public:
  explicit Current(const NativeContext& context) noexcept {
    CUcontext now = nullptr;
    if (api().cuCtxGetCurrent(&now) == kSuccess && now == context.get()) return;
    if (!now && context.is_primary()) {  // it stays, as CUDA's own runtime leaves it
      api().cuCtxSetCurrent(context.get());
      return;
    }
    pushed_ = api().cuCtxPushCurrent(context.get()) == kSuccess;
  }
  ~Current() {
    CUcontext popped = nullptr;
    if (pushed_) api().cuCtxPopCurrent(&popped);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  bool pushed_ = false;
};

/// An event of CUDA, recorded at most once.
class NativeEvent {
 public:
  NativeEvent(std::shared_ptr<NativeContext> context, bool timed)
      : context_(std::move(context)), timed_(timed), event_(context_->take_event(timed)) {}
  ~NativeEvent() { context_->give_event(event_, timed_); }
  NativeEvent(const NativeEvent&) = delete;
  NativeEvent& operator=(const NativeEvent&) = delete;

  CUevent get() const noexcept { return event_; }
  NativeContext& context() const noexcept { return *context_; }
  void record(CUstream stream);
  /// kSuccess, kNotReady, or how the context was lost.
  CUresult query() const noexcept;
  /// Spins for a short while, then sleeps.
  CUresult wait() const noexcept;

 private:
  const std::shared_ptr<NativeContext> context_;
  const bool timed_;
  const CUevent event_;
};

/// A stream that does not wait for the legacy default one.
class NativeStream {
 public:
  explicit NativeStream(std::shared_ptr<NativeContext> context);
  ~NativeStream();
  NativeStream(const NativeStream&) = delete;
  NativeStream& operator=(const NativeStream&) = delete;

  CUstream get() const noexcept { return stream_; }
  const std::shared_ptr<NativeContext>& context() const noexcept { return context_; }
  void wait_for(const NativeEvent& event);
  /// Waits for all that it was given.
  CUresult wait() const noexcept;

 private:
  const std::shared_ptr<NativeContext> context_;
  CUstream stream_ = nullptr;
};

}  // namespace hither::drivers::cuda
