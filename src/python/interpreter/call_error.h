// Errors of calls whose arguments do not fit a function's signature.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// The InvalidTypeError of a call that does not fit `signature`, such as "sin(x, /, *,
/// queue=None)". `positional` are the values given by position; `keywords` is a tuple of names, or
/// null.
[[noreturn]] void refuse_call(std::string_view signature, std::span<PyObject* const> positional,
                              PyObject* keywords);

/// For the lifetime of an object, calls that this thread's functions refuse get a short TypeError,
/// because the caller drops it and calls another function.
class RetriedCalls {
 public:
  explicit RetriedCalls(bool are_retried = true) noexcept;
  ~RetriedCalls();
  /// Whether such an object lives in this thread.
  static bool are_active() noexcept;
  RetriedCalls(const RetriedCalls&) = delete;
  RetriedCalls& operator=(const RetriedCalls&) = delete;

 private:
  bool before_;
};

}  // namespace hither::python
