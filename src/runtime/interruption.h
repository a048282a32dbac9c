// Ctrl-C while a thread waits for a kernel that runs on the host's processors.
//
// Python's handler of SIGINT sets a flag, which the thread looks at when it is back in the
// interpreter: never, if the kernel does not end. So a watcher, a thread of our own, sees to it
// that a launch which lasts longer than a tenth of a second is interruptible: it puts a handler
// before the program's, and when SIGINT has come, and the program's handler is the one that raises
// KeyboardInterrupt, it makes the threads that run the kernel leave it, by a second signal whose
// handler jumps out. That is sound because it jumps only where a thread is in the kernel's own
// code, which holds no lock and owns no memory. Launches that are shorter pay for nothing but a
// few stores.
#pragma once

#include <cstdint>

#include <hither/export.h>

namespace hither::runtime {

/// The calling thread is the one whose waits Ctrl-C interrupts: Python's main thread. `raises`,
/// which any thread may call, says whether the program's handler would raise. Called again, it
/// changes nothing.
HITHER_EXPORT void let_interrupt_this_thread(bool (*raises)()) noexcept;

/// A scope in which a thread waits for kernels. Costs next to nothing in threads that nobody
/// interrupts.
class HITHER_EXPORT InterruptibleWait {
 public:
  enum class For : uint8_t { kOneLaunch, kAnyLaunch };
  explicit InterruptibleWait(For what) noexcept;
  ~InterruptibleWait();
  InterruptibleWait(const InterruptibleWait&) = delete;
  InterruptibleWait& operator=(const InterruptibleWait&) = delete;
  /// What run_interruptibly() calls the launch that is waited for. Not 0.
  uint64_t launch() const noexcept { return launch_; }

 private:
  const bool is_watched_;
  uint64_t launch_ = 0, before_ = 0;
};

/// Calls call(data), which runs code of a kernel of `launch` and has nothing to destroy. False if
/// it was interrupted, and so not run to its end.
HITHER_EXPORT bool run_interruptibly(uint64_t launch, void (*call)(void*), void* data) noexcept;

}  // namespace hither::runtime
