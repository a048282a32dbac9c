// The threads of a (sub-)device.
#pragma once

#include <cstdint>
#include <memory>

#include "drivers/native_cpu/topology.h"

namespace hither::drivers::native_cpu {

/// Where the threads of a device run. Those of the whole device are the process's workers, which
/// all users of oneTBB share. A sub-device has an arena of its own, whose workers are as many as
/// its units. They are bound to these if data is near some units; otherwise any unit will do,
/// because oneTBB's workers serve one arena after another, and binding them anew takes time.
enum class Placement { kWholeDevice, kAnywhere, kBound };

/// The interface to oneTBB. Thread-safe.
class Arena {
 public:
  Arena(const Units& units, Placement placement);
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
