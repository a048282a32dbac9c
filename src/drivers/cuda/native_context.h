// A CUDA context of one device: its primary context or a new one.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/cuda/checked.h"
#include "drivers/cuda/repeated_launch.h"
#include "process/spin_lock.h"

namespace hither::drivers::cuda {

/// All objects in it share it, tasks included. Thread-safe.
class NativeContext {
 public:
  /// Other libraries in the process use the primary context.
  NativeContext(CUdevice device, bool primary);
  ~NativeContext();
  NativeContext(const NativeContext&) = delete;
  NativeContext& operator=(const NativeContext&) = delete;

  CUcontext get() const noexcept { return context_; }
  CUdevice device() const noexcept { return device_; }
  bool is_primary() const noexcept { return primary_; }

  /// Throws unless `result` is success; stores a fault that loses the context.
  void check(CUresult result, const char* call, const char* where) {
    if (result != kSuccess) throw failure(result, call, where);
  }
  /// The error of a result that is not success; for a lost context always the same one.
  Error failure(CUresult result, const char* call, const char* where);
  /// The fault that lost the context, if any.
  std::optional<Error> fault() const;

  /// Whether memory has been exchanged with other libraries, in either direction.
  bool is_shared() const noexcept { return shared_.load(std::memory_order_acquire); }
  void share() noexcept { shared_.store(true, std::memory_order_release); }

  /// Takes an event; give_event() returns it. Events with timing are slower.
  CUevent take_event(bool timed);
  void give_event(CUevent event, bool timed) noexcept;
  /// Sleeps until a recorded event is complete.
  CUresult sleep_until(CUevent event) const noexcept;
  /// Retires a module that tasks may still use, and its graphs. unload() waits for all tasks and
  /// releases retired modules. At process exit they are not released.
  void retire(CUmodule module, std::vector<std::unique_ptr<RepeatedLaunch>> launches) noexcept;
  void unload() noexcept;

 private:
  /// An event that can wake a sleeping thread takes a microsecond longer to record, so tasks use
  /// other events. To sleep, a thread lets this stream wait for the task's event and waits for an
  /// event of the stream.
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
  process::SpinLock events_lock_;  ///< protects events_, which every task uses
  std::vector<CUevent> events_[2];
  mutable std::mutex mutex_;  ///< protects the following members
  std::optional<Error> fault_;
  mutable std::vector<Sleeper> sleepers_;
  struct Retired {
    CUmodule module;
    std::vector<std::unique_ptr<RepeatedLaunch>> launches;
  };
  std::vector<Retired> retired_;
};

/// Makes a context current in this thread during its lifetime.
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
  /// kSuccess, kNotReady, or the fault of a lost context.
  CUresult query() const noexcept;
  /// Spins for a short while, then sleeps.
  CUresult wait() const noexcept;

 private:
  const std::shared_ptr<NativeContext> context_;
  const bool timed_;
  const CUevent event_;
};

/// A stream that does not synchronise with the legacy default stream.
class NativeStream {
 public:
  explicit NativeStream(std::shared_ptr<NativeContext> context);
  ~NativeStream();
  NativeStream(const NativeStream&) = delete;
  NativeStream& operator=(const NativeStream&) = delete;

  CUstream get() const noexcept { return stream_; }
  const std::shared_ptr<NativeContext>& context() const noexcept { return context_; }
  void wait_for(const NativeEvent& event);
  /// Waits for all work of the stream.
  CUresult wait() const noexcept;

 private:
  const std::shared_ptr<NativeContext> context_;
  CUstream stream_ = nullptr;
};

}  // namespace hither::drivers::cuda
