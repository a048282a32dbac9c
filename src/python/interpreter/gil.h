// The GIL, for threads that may outlive the interpreter.
#pragma once

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include <hither/error.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Makes a call that takes the GIL, or that may release it and take it again, as all Python code
/// may. Before 3.14, Python ends a thread that asks for the GIL during finalisation by unwinding
/// its stack. Unwinding would run noexcept destructors without the GIL and terminate the process.
/// The thread therefore blocks here until the process exits, as it does in Python 3.14.
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

/// Releases the GIL, which the thread holds, for a scope.
class GilReleased {
 public:
  GilReleased() : state_(PyEval_SaveThread()) {}
  GilReleased(const GilReleased&) = delete;
  GilReleased& operator=(const GilReleased&) = delete;
  ~GilReleased() {
    with_python([&] { PyEval_RestoreThread(state_); });
  }

 private:
  PyThreadState* state_;
};

class ReleaseGil;
/// The innermost scope in which this thread may release the GIL without notice; null where it may
/// not, because Python code runs.
extern thread_local constinit ReleaseGil* innermost_release;

/// Holds the GIL for a scope, in any thread. Error kDevice if the interpreter has ended.
class GilAcquired {
 public:
  GilAcquired() {
    if (!is_possible())
      throw Error(ErrorKind::kDevice, "hither", "the Python interpreter has ended");
    state_ = with_python([] { return PyGILState_Ensure(); });
    outer_ = std::exchange(innermost_release, nullptr);
  }
  GilAcquired(const GilAcquired&) = delete;
  GilAcquired& operator=(const GilAcquired&) = delete;
  ~GilAcquired() {
    innermost_release = outer_;
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
};

}  // namespace hither::python
