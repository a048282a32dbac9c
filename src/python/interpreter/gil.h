// The GIL, for threads that may outlive the interpreter.
#pragma once

#include <atomic>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include <hither/error.h>

#include "process/interruption.h"
#include "python/interpreter/fork.h"
#include "python/interpreter/nanobind.h"
#include "python/interpreter/printed.h"
#include "python/interpreter/source_line.h"

namespace hither::python {

/// Makes a call that takes the GIL, or that may release it and take it again, as all Python code
/// may. Before 3.14, Python ends a thread that asks for the GIL during finalisation by unwinding
/// its stack. Unwinding would run noexcept destructors without the GIL and terminate the process.
/// The thread therefore blocks here until the process exits, as it does in Python 3.14.
/// The frames of the call itself are unwound before, so they must own no Python object.
template <typename Call>
auto with_python(Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (const std::exception&) {
    throw;
  } catch (...) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

/// Releases the GIL, which the thread holds, for a scope, which is one call for Ctrl-C.
class GilReleased {
 public:
  GilReleased() : line_(remember_line()) {
    count_as_without_gil(true);
    state_ = PyEval_SaveThread();
  }
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;
  ~GilReleased() {
    count_as_without_gil(false);
    with_python([&] { PyEval_RestoreThread(state_); });
    if (line_) forget_line();
    show_printed_if_any(true);
  }

 private:
  const process::InterruptibleCall call_;
  const bool line_;
  PyThreadState* state_;
};

class ReleaseGil;
/// The innermost ReleaseGil of the thread that holds the GIL, if that thread may release it there.
/// There is at most one, which only that thread changes, so that a comparison with the thread takes
/// the place of a thread-local variable, which is slow in a module that is loaded at run time.
class HoldingScope {
 public:
  /// Replaces the scope, which may be null, and returns the scope before. Needs the GIL.
  static ReleaseGil* enter(ReleaseGil* scope) noexcept {
    thread_.store(scope ? __builtin_thread_pointer() : nullptr, std::memory_order_relaxed);
    return std::exchange(scope_, scope);
  }
  /// Any thread may call it, with the GIL or without.
  static ReleaseGil* of_this_thread() noexcept {
    return thread_.load(std::memory_order_relaxed) == __builtin_thread_pointer() ? scope_ : nullptr;
  }

 private:
  static inline std::atomic<void*> thread_ = nullptr;
  static inline ReleaseGil* scope_ = nullptr;
};

/// Holds the GIL for a scope, in any thread. Error kDevice if the interpreter has ended.
class GilAcquired {
 public:
  GilAcquired() {
    if (!is_possible())
      throw Error(ErrorKind::kDevice, "hither", "the Python interpreter has ended");
    state_ = with_python([] { return PyGILState_Ensure(); });
    outer_ = HoldingScope::enter(nullptr);
    counted_ = count_as_without_gil(false);
  }
  GilAcquired(const GilAcquired&) = delete;
  GilAcquired& operator=(const GilAcquired&) = delete;
  ~GilAcquired() {
    count_as_without_gil(counted_);
    HoldingScope::enter(outer_);
    PyGILState_Release(state_);
  }

  /// Whether this thread may ask for the GIL. Once the interpreter is being finalised, only its own
  /// threads may.
  static bool is_possible() noexcept {
    return Py_IsInitialized() || PyGILState_GetThisThreadState() != nullptr;
  }

 private:
  PyGILState_STATE state_;
  ReleaseGil* outer_;
  bool counted_;
};

}  // namespace hither::python
