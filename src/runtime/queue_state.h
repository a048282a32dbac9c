// The state of a Queue.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include <hither/queue.h>

#include "runtime/driver.h"

namespace hither::runtime {

struct QueueState {
  QueueState(Context c, Device d, QueueProperties p)
      : context(std::move(c)), device(std::move(d)), properties(p) {}
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;
  /// Unreported failures are written here because a back end may keep the log longer than the
  /// queue.
  ~QueueState() {
    driver.reset();
    if (failures) failures->report();
  }
  Context context;
  Device device;
  QueueProperties properties;
  int device_index = 0;                   ///< of device, in context
  const uint64_t number = next_number();  ///< identifies the queue in profiles
  std::shared_ptr<FailureLog> failures;
  std::unique_ptr<DriverQueue> driver;

 private:
  static uint64_t next_number() noexcept {
    static std::atomic<uint64_t> made{0};
    return made.fetch_add(1) + 1;
  }
};

/// "native_cpu:cpu:0 (out of order, profiling)" for messages.
std::string describe(const Queue& queue);

}  // namespace hither::runtime
