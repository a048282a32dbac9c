// Queues and contexts that hither and other libraries of the process share: SYCL's own objects.
#pragma once

#include <optional>

#include <hither/context.h>
#include <hither/queue.h>

namespace hither {

/// The sycl::queue behind a queue, to be copied by other libraries on the same SYCL runtime; null
/// where the back end is not SYCL's. It lives as long as the queue. From now on the queue is
/// shared: others may submit to it, and hither's work is ordered with theirs.
HITHER_EXPORT const void* native_queue(const Queue& queue);
/// The sycl::context behind a context, likewise.
HITHER_EXPORT const void* native_context(const Context& context);

/// The queue for a sycl::queue of another library, which is copied: the same one each time as long
/// as someone holds it, and hither's own where it is one. It has that queue's device, context and
/// properties. What hither submits runs after all that the other library submitted before, and
/// before what it submits later; where the queue is out of order, but for host tasks and what SYCL
/// holds back behind them. Error kUnsupported when hither has no SYCL devices in this process, or
/// hides the device (CUDA's, which it drives itself).
HITHER_EXPORT Queue adopt_native_queue(const void* queue);
/// The context for a sycl::context of another library, likewise.
HITHER_EXPORT Context adopt_native_context(const void* context);

/// The number that SYCL gives a device, or the one that it is a part of, in this process; empty
/// where the back end is another and for devices without USM.
HITHER_EXPORT std::optional<int> sycl_number(const Device& device);

/// Whether other libraries may submit to the queue.
HITHER_EXPORT bool is_shared(const Queue& queue) noexcept;
/// Waits for what dpctl knows to have been submitted to the queue while OpenCL does not: host tasks
/// of SYCL's and what depends on them, in out-of-order queues, where no event of ours comes after
/// them. Takes the GIL: call it under no lock.
HITHER_EXPORT void wait_for_foreign_commands(const Queue& queue);
/// What has to end before this thread may rely on memory that others use through a shared queue: a
/// barrier, after `last`; no event but that for other queues. On CUDA others work in streams of
/// their own, and it is the default one that counts. Calls wait_for_foreign_commands().
HITHER_EXPORT Event event_of_foreign_work(const Queue& queue, const Event& last = {});

}  // namespace hither
