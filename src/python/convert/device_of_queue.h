// The device of an array, which remembers the array's queue.
#pragma once

#include <hither/queue.h>

namespace hither::python {

/// A Device to Python; given as device= it means `queue`.
struct DeviceOfQueue : Device {
  explicit DeviceOfQueue(Queue q) : Device(q.device()), queue(std::move(q)) {}
  Queue queue;
};

}  // namespace hither::python
