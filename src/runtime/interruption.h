// Ctrl-C while a thread waits for a kernel on the CPU.
//
// Python's SIGINT handler sets a flag that the interpreter checks later: never, if the kernel does
// not end. A watcher thread therefore makes launches that last longer than a tenth of a second
// interruptible. It installs a handler before the program's handler. If SIGINT arrives and the
// program's handler is the one that raises KeyboardInterrupt, the watcher sends a second signal to
// the threads that run the kernel, and its handler leaves the kernel by a jump. The jump is sound
// because it occurs only while a thread is in the kernel's own code, which holds no lock and owns
// no memory. Shorter launches cost only a few stores.
#pragma once

#include <cstdint>

#include <hither/export.h>

namespace hither::runtime {

/// Makes Ctrl-C interrupt the waits of the calling thread, which is Python's main thread. `raises`,
/// which any thread may call, returns whether the program's handler would raise an exception. Later
/// calls have no effect.
HITHER_EXPORT void make_this_thread_interruptible(bool (*raises)()) noexcept;

/// A scope in which a thread waits for kernels. Its cost is negligible in other threads than the
/// interruptible one.
class HITHER_EXPORT InterruptibleWait {
 public:
  enum class For : uint8_t { kOneLaunch, kAnyLaunch };
  explicit InterruptibleWait(For what) noexcept;
  ~InterruptibleWait();
  InterruptibleWait(const InterruptibleWait&) = delete;
  InterruptibleWait& operator=(const InterruptibleWait&) = delete;
  /// The number of the awaited launch, for run_interruptibly(). Not 0.
  uint64_t launch() const noexcept { return launch_; }

 private:
  const bool is_watched_;
  uint64_t launch_ = 0, before_ = 0;
};

/// Calls call(data), which runs kernel code of `launch` and has no destructors to run. Returns
/// false if it was interrupted.
HITHER_EXPORT bool run_interruptibly(uint64_t launch, void (*call)(void*), void* data) noexcept;

}  // namespace hither::runtime
