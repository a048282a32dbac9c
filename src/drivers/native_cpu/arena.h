// The threads of a (sub-)device.
#pragma once

#include <cstdint>
#include <memory>

#include "drivers/native_cpu/topology.h"

namespace hither::drivers::native_cpu {

/// oneTBB behind a narrow door. Thread-safe.
class Arena {
 public:
  /// The whole device shares the process's worker threads with everyone who uses oneTBB; a part of
  /// it gets an arena of its own, whose workers stay on its units.
  Arena(Units units, bool is_whole_device);
  ~Arena();
  Arena(const Arena&) = delete;

  int concurrency() const noexcept { return concurrency_; }

  /// Calls body(data, i) for each i in [0, count), on this thread with the workers helping, and
  /// returns when all are done. Isolated: while it waits for the others, this thread takes no
  /// other work, so it may hold a lock that other tasks want. body does not throw.
  void for_each(int64_t count, void (*body)(void* data, int64_t i), void* data);

  /// Calls task(data), which does not throw, on a worker some time later.
  void enqueue(void (*task)(void* data), void* data);

 private:
  struct Threads;
  int concurrency_;
  bool is_whole_device_;
  std::unique_ptr<Threads> threads_;
};

}  // namespace hither::drivers::native_cpu
