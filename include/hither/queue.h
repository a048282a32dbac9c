// Where work is submitted.
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

/// A SYCL queue: a handle, copies share it; == is identity. All members are thread-safe.
/// On native_cpu an in-order queue runs its work in the caller's thread with every core helping and
/// is complete on return; an out-of-order queue runs tasks side by side.
class HITHER_EXPORT Queue {
 public:
  /// A new queue on the selected device in its default context.
  explicit Queue(std::string_view filter, QueueProperties properties = {});
  explicit Queue(const Device& device, QueueProperties properties = {});
  Queue(const Context& context, const Device& device, QueueProperties properties = {});
  explicit Queue(std::shared_ptr<runtime::QueueState> state) noexcept : state_(std::move(state)) {}

  /// The cached default queue of a device: asking twice gives the same queue.
  static Queue default_for(const Device& device);
  /// default_for(Device::select_default()).
  static Queue default_queue();

  const Device& device() const;
  const Context& context() const;
  QueueProperties properties() const;
  /// Same context, device and properties.
  bool equivalent(const Queue& other) const noexcept;

  /// Submits without waiting. `arguments` are packed as target::Signature says and copied. Refuses
  /// (before submitting) ranges and local sizes that the device or the kernel cannot take.
  /// Work whose dependency failed does not run and takes over its error.
  Event submit(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
               std::span<const Event> depends_on = {}) const;
  /// Copies between any two addresses, USM of any context or plain host memory. The ranges are the
  /// same or do not overlap.
  Event copy(void* to, const void* from, size_t bytes,
             std::span<const Event> depends_on = {}) const;
  /// Repeats a pattern of 1, 2, 4, 8 or 16 bytes.
  Event fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
             std::span<const Event> depends_on = {}) const;
  Event prefetch(const void* address, size_t bytes, std::span<const Event> depends_on = {}) const;
  /// Runs `work` on the host in this queue's order. What it throws becomes the event's error.
  Event submit_host(std::function<void()> work, std::span<const Event> depends_on = {}) const;
  /// An event that completes when everything submitted so far has.
  Event submit_barrier(std::span<const Event> depends_on = {}) const;

  /// Blocks until all submitted work ended; raises the failed task's error with the lowest
  /// submission number that no wait has raised yet.
  void wait() const;

  const std::shared_ptr<runtime::QueueState>& state() const noexcept { return state_; }
  friend bool operator==(const Queue& a, const Queue& b) noexcept { return a.state_ == b.state_; }

 private:
  std::shared_ptr<runtime::QueueState> state_;
};

}  // namespace hither
