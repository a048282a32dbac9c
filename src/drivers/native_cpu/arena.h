// The threads of a (sub-)device.
#pragma once

#include <cstdint>
#include <memory>

#include "drivers/native_cpu/topology.h"

namespace hither::drivers::native_cpu {

/// The interface to oneTBB. Thread-safe.
class Arena {
 public:
  /// The whole device shares the process's worker threads with all users of oneTBB. A sub-device
  /// gets its own arena, whose workers are bound to its units.
  Arena(const Units& units, bool is_whole_device);
  ~Arena();
  Arena(const Arena&) = delete;

  int concurrency() const noexcept { return concurrency_; }

  /// Calls body(data, i) for each i in [0, count), on this thread and on workers, and returns when
  /// all are done. It is isolated: while this thread waits for the workers it runs no other tasks,
  /// so it may hold a lock that other tasks need. body does not throw. Once the process exits,
  /// loops of other threads end after the calls under way, and do not return, except in enqueued
  /// tasks.
  void for_each(int64_t count, void (*body)(void* data, int64_t i), void* data);

  /// Calls task(data), which does not throw, on a worker later.
  void enqueue(void (*task)(void* data), void* data);

 private:
  struct Threads;
  /// Whether all were run.
  bool run_on_workers(int64_t count, void (*body)(void* data, int64_t i), void* data);

  int concurrency_;
  bool is_whole_device_;
  std::unique_ptr<Threads> threads_;
};

}  // namespace hither::drivers::native_cpu
