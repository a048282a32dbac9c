// What stands behind a Queue.
#pragma once

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
  /// A back end may keep the log for longer than anybody can ask for what is in it.
  ~QueueState() {
    driver.reset();
    if (failures) failures->tell();
  }
  Context context;
  Device device;
  QueueProperties properties;
  int device_index = 0;  ///< of device, in context
  std::shared_ptr<FailureLog> failures;
  std::unique_ptr<DriverQueue> driver;
};

/// "native_cpu:cpu:0 (out of order, profiling)" for messages.
std::string describe(const Queue& queue);

}  // namespace hither::runtime
