// Exchange of SYCL's native queues and contexts with other libraries of the process.
#pragma once

#include <optional>

#include <hither/context.h>
#include <hither/queue.h>

namespace hither {

/// The sycl::queue of a queue, which other libraries on the same SYCL runtime may copy; null if the
/// back end is not SYCL's. It lives as long as the queue. From now on the queue is shared: other
/// libraries may submit to it, and hither's work is ordered with their commands.
HITHER_EXPORT const void* native_queue(const Queue& queue);
/// The sycl::context of a context, likewise.
HITHER_EXPORT const void* native_context(const Context& context);

/// The Queue for a sycl::queue of another library, which is copied. Repeated calls give the same
/// Queue while it is alive; for a sycl::queue of hither they give its Queue. It has the device,
/// context and properties of the sycl::queue. A command of hither runs after all earlier commands
/// of the other library and before all later ones. In an out-of-order queue host tasks, and
/// commands that SYCL delays behind them, are excepted. Error kUnsupported if hither has no SYCL
/// devices in this process, or the device is not visible in hither (CUDA devices, which have a
/// driver of their own).
HITHER_EXPORT Queue adopt_native_queue(const void* queue);
/// The context for a sycl::context of another library, likewise.
HITHER_EXPORT Context adopt_native_context(const void* context);

/// The number of a device, or of its root device, among SYCL's devices in this process; empty for
/// other back ends and devices without USM.
HITHER_EXPORT std::optional<int> sycl_number(const Device& device);

/// Whether other libraries may submit to the queue.
HITHER_EXPORT bool is_shared(const Queue& queue) noexcept;
/// Waits for the commands of other libraries that dpctl has recorded for the queue and that OpenCL
/// has not received: SYCL's host tasks and the commands that depend on them. In out-of-order queues
/// no event of hither ends after these. Takes the GIL, so call it without a lock held.
HITHER_EXPORT void wait_for_foreign_commands(const Queue& queue);
/// The event that ends after the work of other libraries on a shared queue, and after `last`; this
/// thread waits for it before it accesses memory that they use. For a queue that is not shared it
/// is `last`. On CUDA other libraries use streams of their own: the event covers the legacy default
/// stream. Calls wait_for_foreign_commands().
HITHER_EXPORT Event event_of_foreign_work(const Queue& queue, const Event& last = {});

}  // namespace hither
