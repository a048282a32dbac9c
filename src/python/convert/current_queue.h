// The queue of a call from Python: the argument, else the device context's queue, else the default
// queue.
#pragma once

#include <optional>
#include <vector>

#include <hither/device.h>
#include <hither/event.h>
#include <hither/queue.h>

#include "python/interpreter/nanobind.h"

namespace hither::python {

/// The queue of the innermost device_context, or block of a queue manager, of the calling thread or
/// task. One atomic load when none is open anywhere. Needs the GIL.
std::optional<Queue> context_queue();
/// Whether that context warns of every launch whose queue the arguments decide, as hither.compat's
/// contexts do, and not only if that queue is not equivalent to the context's.
bool context_always_warns();

/// `target` may be a Queue, a Device (its default queue; `array.device` stands for the array's
/// queue), a filter string, or None: context_queue(), else the default queue. Error kType, with
/// `where`, for other objects.
Queue resolve_queue(nb::handle target, const char* where = "queue");

/// As resolve_queue for an optional `queue=`: nothing for None.
std::optional<Queue> explicit_queue(nb::handle target, const char* where = "queue");

/// The queue that queue=, sycl_queue= and device= name; nothing if all are None. Error kValue if
/// two of them name queues that are not equivalent.
std::optional<Queue> explicit_queue(nb::handle queue, nb::handle sycl_queue, nb::handle device);

/// A Device, a filter string, a Queue (its device), or None: the default device.
Device resolve_device(nb::handle target, const char* where = "device");

/// The value of `array.device`: the Device, with the queue.
nb::object device_of_queue(const Queue& queue);

/// depends_on=: None, an Event, or a sequence of Events.
std::vector<Event> events_argument(nb::handle events);

}  // namespace hither::python
