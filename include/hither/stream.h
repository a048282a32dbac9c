// Streams of CUDA (CUstream), in which other libraries of the process work, over the same memory;
// and work that they put into a queue of hither's, which may be one of SYCL.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include <hither/array.h>
#include <hither/device.h>
#include <hither/queue.h>

namespace hither {

/// The number that CUDA gives a device in this process; empty where the back end is another.
HITHER_EXPORT std::optional<int> cuda_number(const Device& device);
/// The device of that number; empty when hither has none.
HITHER_EXPORT std::optional<Device> cuda_device(int number);

/// The stream of an in-order queue's tasks, of one of them in other queues; null where the back end
/// is not CUDA.
HITHER_EXPORT void* native_stream(const Queue& queue);

/// Makes CUDA's context of the queue the thread's current one until the result goes; null where the
/// back end is another.
HITHER_EXPORT std::shared_ptr<const void> make_current(const Queue& queue);

/// Hands x, which is on a CUDA device, to work in `stream`: the address of its first element, after
/// making the stream (null: CUDA's legacy default one) wait for what hither does with it. From now
/// on the array has escaped, and what hither does with it, the return of its memory too, is in
/// order with the legacy default stream. Error kBuffer when the queue has a context of its own,
/// which others do not work in.
HITHER_EXPORT void* lend_to_stream(const Array& x, void* stream);
/// The same without the order, which is the receiver's to see to.
HITHER_EXPORT void* lend_unordered(const Array& x);
/// For memory of another library that x is over: what `stream` was given so far comes before what
/// hither does with x. A null stream has nothing to wait for.
HITHER_EXPORT void borrowed_from_stream(const Array& x, void* stream);

/// Work that a program, or a library that it calls, puts into the queue itself, as the back end has
/// it: the object begins it, end() ends it. What is read and written are dense arrays on queues of
/// the same context. It is in order with everything else; nothing is waited for but tasks of other
/// back ends that come before, nothing escapes. In one thread, whose current context of CUDA is the
/// queue's meanwhile.
class HITHER_EXPORT StreamWork {
 public:
  /// Error kUnsupported where the back end is neither CUDA nor SYCL, kPlacement, or that of an
  /// array which could not be computed, or of an event.
  StreamWork(const Queue& queue, std::span<const Array> reads, std::span<const Array> writes,
             std::span<const Event> depends_on = {});
  StreamWork(const StreamWork&) = delete;
  StreamWork& operator=(const StreamWork&) = delete;
  ~StreamWork();

  /// A CUstream, or a sycl::queue*.
  void* stream() const noexcept;
  /// Of the first elements, in the order given, reads first.
  std::span<void* const> addresses() const noexcept;
  /// Ends after all that was put into it.
  Event end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace hither
