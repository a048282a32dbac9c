// The failures of a queue's tasks that no queue.wait() has raised yet.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include <hither/error.h>

namespace hither::runtime {

/// Shared by a queue and its unfinished tasks, which may outlive it. Thread-safe.
class HITHER_EXPORT FailureLog {
 public:
  FailureLog() = default;
  FailureLog(const FailureLog&) = delete;
  FailureLog& operator=(const FailureLog&) = delete;
  /// No wait can report the failures any more.
  ~FailureLog() { report(); }
  /// `number` orders the submissions of the queue.
  void add(uint64_t number, const Error& error);
  /// Removes the failure with the lowest number, and all failures that have the same error, and
  /// marks it as reported.
  std::optional<Error> take_first();
  /// Writes the unreported failures that come from kernels to stderr.
  void report() noexcept;

 private:
  struct Failure {
    uint64_t number;
    Error error;
  };
  std::mutex mutex_;
  std::vector<Failure> failures_;
};

}  // namespace hither::runtime
