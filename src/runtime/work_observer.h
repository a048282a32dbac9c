// Observation of what a thread allocates and submits.
#pragma once

#include <atomic>

#include <hither/memory.h>

namespace hither::runtime {

/// Is told what its thread allocates and submits, from its construction to its destruction on that
/// thread. A thread has one observer at most.
class WorkObserver {
 public:
  WorkObserver() noexcept;
  WorkObserver(const WorkObserver&) = delete;
  WorkObserver& operator=(const WorkObserver&) = delete;
  virtual ~WorkObserver();

  virtual void allocated(const Memory& memory) = 0;
  virtual void submitted(const Queue& queue) noexcept = 0;

  /// Ends the observation before the destruction.
  void stop() noexcept;
  /// Observes again after stop(), on the same thread.
  void resume() noexcept;
  /// The observer of the calling thread, or null. Without observers in the process it takes one
  /// relaxed load.
  static WorkObserver* of_this_thread() noexcept {
    return count_.load(std::memory_order_relaxed) == 0 ? nullptr : find();
  }

 private:
  static WorkObserver* find() noexcept;
  static inline std::atomic<int> count_{0};
};

}  // namespace hither::runtime
