// The interpreter's lock, in threads that may outlive the interpreter.
#pragma once

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include <hither/error.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// Makes a call that takes the GIL, or may give it up and take it again, as all Python code does.
/// Until 3.14 Python ends a thread that asks for the GIL while the interpreter is being finalised,
/// by unwinding its stack. That would run destructors without the GIL and end the process at the
/// first one (they are noexcept): the thread stops here for good instead, as it does in 3.14, and
/// goes with the process.
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

/// Runs a scope without the GIL, which the thread holds.
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

/// Runs a scope with the GIL, in any thread. Error kDevice when the interpreter has ended.
class GilAcquired {
 public:
  GilAcquired() {
    if (!is_possible())
      throw Error(ErrorKind::kDevice, "hither", "the Python interpreter has ended");
    state_ = with_python([] { return PyGILState_Ensure(); });
  }
  GilAcquired(const GilAcquired&) = delete;
  GilAcquired& operator=(const GilAcquired&) = delete;
  ~GilAcquired() { PyGILState_Release(state_); }

  /// Whether there still is an interpreter for this thread: once it is being finalised, only its
  /// own threads may ask for the GIL.
  static bool is_possible() noexcept {
    return Py_IsInitialized() || PyGILState_GetThisThreadState() != nullptr;
  }

 private:
  PyGILState_STATE state_;
};

}  // namespace hither::python
