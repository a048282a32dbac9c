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
  /// Nobody can ask for its failures any more.
  ~FailureLog() { tell(); }
  /// `number` orders the submissions of the queue.
  void add(uint64_t number, const Error& error);
  /// Takes out the failure with the lowest number, and with it all that only took over its error.
  std::optional<Error> take_first();
  /// That an error, if it is one of its failures, has been raised to somebody.
  void note_told(const Error& error) noexcept;
  /// Writes those of its failures that kernels reported, and nobody has been told, to stderr.
  void tell() noexcept;

 private:
  struct Failure {
    uint64_t number;
    Error error;
    bool told = false;
  };
  std::mutex mutex_;
  std::vector<Failure> failures_;
};

}  // namespace hither::runtime
