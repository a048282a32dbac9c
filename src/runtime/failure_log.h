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
  /// `number` orders the submissions of the queue.
  void add(uint64_t number, const Error& error);
  /// Takes out the failure with the lowest number, and with it all that only took over its error.
  std::optional<Error> take_first();

 private:
  struct Failure {
    uint64_t number;
    Error error;
  };
  std::mutex mutex_;
  std::vector<Failure> failures_;
};

}  // namespace hither::runtime
