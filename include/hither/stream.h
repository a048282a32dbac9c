// Exchange of arrays with the CUDA streams of other libraries, and submission of library calls to a
// CUDA or SYCL queue of hither.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include <hither/array.h>
#include <hither/device.h>
#include <hither/queue.h>

namespace hither {

/// CUDA's ordinal of a device in this process; empty for other back ends.
HITHER_EXPORT std::optional<int> cuda_number(const Device& device);
/// The device of that ordinal; empty if hither has none.
HITHER_EXPORT std::optional<Device> cuda_device(int number);

/// The CUDA stream of an in-order queue, one of the streams of an out-of-order queue; null for
/// other back ends.
HITHER_EXPORT void* native_stream(const Queue& queue);

/// Makes the CUDA context of the queue current in this thread until the result is destroyed; null
/// for other back ends.
HITHER_EXPORT std::shared_ptr<const void> make_current(const Queue& queue);

/// Lends x, which is on a CUDA device, to work in `stream` (null: CUDA's legacy default stream).
/// The stream waits for hither's pending work on x; the result is the address of the first element.
/// From now on the array has escaped, and hither's work on it, including the return of its memory,
/// is ordered with the legacy default stream. Error kBuffer if the queue's context is not the
/// primary context, which other libraries use.
HITHER_EXPORT void* lend_to_stream(const Array& x, void* stream);
/// The same for a receiver that orders nothing, such as MPI: the host waits for hither's work on x.
HITHER_EXPORT void* lend_when_ready(const Array& x);
/// For an array x over memory of another library: hither's work on x runs after the work that
/// `stream` has received so far. A null stream has no such work.
HITHER_EXPORT void borrowed_from_stream(const Array& x, void* stream);

/// Work that a program or a library submits to the native queue of the back end. It begins with the
/// construction of the object and ends with end(). It reads and writes dense arrays on queues of
/// the same context, and is ordered with all other work. The host waits only for earlier tasks of
/// other back ends, and no array escapes. Use it in one thread, in which the queue's CUDA context
/// is current meanwhile.
class HITHER_EXPORT StreamWork {
 public:
  /// Errors: kUnsupported if the back end is neither CUDA nor SYCL; kPlacement; the error of an
  /// array that could not be computed, or of an event.
  StreamWork(const Queue& queue, std::span<const Array> reads, std::span<const Array> writes,
             std::span<const Event> depends_on = {});
  StreamWork(const StreamWork&) = delete;
  StreamWork& operator=(const StreamWork&) = delete;
  ~StreamWork();

  /// A CUstream, or a sycl::queue*.
  void* stream() const noexcept;
  /// Addresses of the first elements, those of `reads` first.
  std::span<void* const> addresses() const noexcept;
  /// Ends after all work that was submitted to stream().
  Event end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hither
