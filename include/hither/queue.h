// Queues, to which work is submitted.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include <hither/context.h>
#include <hither/device.h>
#include <hither/event.h>
#include <hither/kernel.h>

namespace hither {

namespace runtime {
struct QueueState;
}

struct QueueProperties {
  bool in_order = true;
  bool enable_profiling = false;
  friend bool operator==(const QueueProperties&, const QueueProperties&) = default;
};

/// A SYCL queue. It is a handle: copies share the queue, and == compares identity. All members are
/// thread-safe. On native_cpu an in-order queue runs its work in the caller's thread, helped by all
/// cores, and the work is complete on return; an out-of-order queue runs tasks concurrently.
class HITHER_EXPORT Queue {
 public:
  /// A new queue on the selected device in its default context.
  explicit Queue(std::string_view filter, QueueProperties properties = {});
  explicit Queue(const Device& device, QueueProperties properties = {});
  Queue(const Context& context, const Device& device, QueueProperties properties = {});
  explicit Queue(std::shared_ptr<runtime::QueueState> state) noexcept : state_(std::move(state)) {}

  /// The cached default queue of a device: the same queue at each call.
  static Queue default_for(const Device& device);
  /// default_for(Device::select_default()).
  static Queue default_queue();

  const Device& device() const;
  const Context& context() const;
  QueueProperties properties() const;
  /// Same context, device and properties.
  bool equivalent(const Queue& other) const noexcept;

  /// Submits without waiting. `arguments` are packed as target::Signature describes, and copied.
  /// Ranges and local sizes that the device or the kernel does not support are refused before
  /// submission. Work whose dependency failed does not run, and its event has the error of the
  /// dependency.
  Event submit(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
               std::span<const Event> depends_on = {}) const;
  /// Copies between any two addresses, USM of any context or plain host memory. The ranges must be
  /// identical or disjoint.
  Event copy(void* to, const void* from, size_t bytes,
             std::span<const Event> depends_on = {}) const;
  /// Repeats a pattern of 1, 2, 4, 8 or 16 bytes.
  Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
             std::span<const Event> depends_on = {}) const;
  Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on = {}) const;
  /// Runs `work` on the host in this queue's order. An exception becomes the event's error.
  Event submit_host(std::function<void()> work, std::span<const Event> depends_on = {}) const;
  /// An event that completes when everything submitted so far has.
  Event submit_barrier(std::span<const Event> depends_on = {}) const;

  /// Blocks until all submitted work has ended. Raises the error of the first submitted task that
  /// failed, unless a wait for the queue has raised it already.
  void wait() const;

  const std::shared_ptr<runtime::QueueState>& state() const noexcept { return state_; }
  friend bool operator==(const Queue& a, const Queue& b) noexcept { return a.state_ == b.state_; }

 private:
  std::shared_ptr<runtime::QueueState> state_;
};

}  // namespace hither
