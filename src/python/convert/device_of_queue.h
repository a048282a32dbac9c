// The device of an array, with the queue of the array.
#pragma once

#include <hither/queue.h>

namespace hither::python {

/// A Device in Python. As a device= argument it stands for `queue`.
struct DeviceOfQueue : Device {
  explicit DeviceOfQueue(Queue q) : Device(q.device()), queue(std::move(q)) {}
  Queue queue;
};

}  // namespace hither::python
