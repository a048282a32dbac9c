// Ctrl-C while a thread waits for kernels, or compiles one.
//
// Python's SIGINT handler sets a flag that the interpreter checks later: never, if the kernel does
// not end. hither therefore installs its own handler, which calls Python's. It stays until the main
// thread has not waited for two seconds, and it notes the call into hither in which SIGINT came. If
// the program's handler is the one that raises KeyboardInterrupt, a watcher thread sends a second
// signal to the threads that run kernels for which this call waits, until the call ends. The
// handler of that signal leaves the kernel by a jump. The jump is sound because it occurs only
// while a thread is in the kernel's own code, which holds no lock and owns no memory. A launch
// costs a few stores, an atomic exchange and a sigsetjmp.
#pragma once

#include <cstdint>

#include <hither/export.h>

namespace hither::process {

/// Makes Ctrl-C interrupt the waits of the calling thread, which is Python's main thread. `raises`,
/// which any thread may call, returns whether the program's handler would raise an exception. Later
/// calls have no effect.
HITHER_EXPORT void make_this_thread_interruptible(bool (*raises)()) noexcept;

/// Whether the calling thread is the interruptible one.
HITHER_EXPORT bool this_thread_is_interruptible() noexcept;

/// A call from Python into hither. Ctrl-C in this scope interrupts all waits of its thread in it,
/// also those that begin later, if the handler was installed: by a wait of the last two seconds, or
/// of this call. A scope inside another one has no effect, nor has one in another thread than the
/// interruptible one.
class HITHER_EXPORT InterruptibleCall {
 public:
  InterruptibleCall() noexcept;
  ~InterruptibleCall();
  InterruptibleCall(const InterruptibleCall&) = delete;
  InterruptibleCall& operator=(const InterruptibleCall&) = delete;

 private:
  const bool is_outermost_;
};

/// A scope in which a thread waits for kernels or compiles one. Its cost is negligible in other
/// threads than the interruptible one.
class HITHER_EXPORT InterruptibleWait {
 public:
  /// Launches are those of run_interruptibly(). The other waits end by asking is_interrupted().
  enum class For : uint8_t { kOneLaunch, kAnyLaunch, kCompilation, kDevice };
  explicit InterruptibleWait(For what) noexcept;
  ~InterruptibleWait();
  InterruptibleWait(const InterruptibleWait&) = delete;
  InterruptibleWait& operator=(const InterruptibleWait&) = delete;
  /// The number of the awaited launch, for run_interruptibly(). Not 0.
  uint64_t launch() const noexcept { return launch_; }
  /// Whether Ctrl-C interrupts the call. Blocks for at most a tenth of a second.
  bool is_interrupted() const noexcept;

 private:
  const InterruptibleCall call_;
  const bool is_watched_;
  uint64_t launch_ = 0, before_ = 0;
};

/// Calls call(data), which runs kernel code of `launch` and has no destructors to run. Returns
/// false if it was interrupted.
HITHER_EXPORT bool run_interruptibly(uint64_t launch, void (*call)(void*), void* data) noexcept;

}  // namespace hither::process
