// The state of a Device.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <hither/context.h>
#include <hither/device.h>
#include <hither/queue.h>

#include "runtime/driver.h"

namespace hither::runtime {

/// The bytes that this process uses of the memory of a root device, and their limit. Its
/// sub-devices and all contexts count here. Thread-safe.
class DeviceMemory {
 public:
  static constexpr size_t kNoLimit = SIZE_MAX;

  /// `whole`: the bytes of the device's memory.
  explicit DeviceMemory(int64_t whole) noexcept : whole_(whole) {}

  /// HITHER_MEMORY_LIMIT unless set_limit() was called. Error kValue if that cannot be read.
  size_t limit() const;
  void set_limit(size_t bytes) noexcept { limit_.store(bytes, std::memory_order_relaxed); }
  size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }

  /// Counts `bytes` as used, unless that is beyond the limit. Error kValue as limit().
  bool reserve(size_t bytes) {
    const size_t most = limit();
    size_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > most || used > most - bytes) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  void give_back(size_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  static constexpr size_t kUnread = SIZE_MAX - 1;

  const int64_t whole_;
  mutable std::atomic<size_t> limit_{kUnread};
  std::atomic<size_t> used_{0};
};

/// Root devices live as long as the process (the registry holds them), sub-devices as long as a
/// handle exists. Repeating a partition gives the same sub-devices while they live.
struct DeviceState {
  explicit DeviceState(std::shared_ptr<DriverDevice> d)
      : driver(std::move(d)),
        known_facts(driver->facts()),
        global_mem_bytes(std::get<int64_t>(known_facts.info.find("global_mem_size")->second)),
        memory(global_mem_bytes) {}

  const std::shared_ptr<DriverDevice> driver;
  const DeviceFacts& known_facts;  ///< of the driver
  const int64_t global_mem_bytes;
  DeviceMemory memory;             ///< only of a root device
  const void* platform = nullptr;  ///< the Driver; contexts hold devices of one platform
  std::string filter_string;
  std::shared_ptr<DeviceState> parent;
  std::optional<DevicePart> part;  ///< of the parent

  std::mutex mutex;  ///< protects the members below
  std::weak_ptr<ContextState> default_context;
  std::weak_ptr<QueueState> default_queue;
  /// A root device never releases its default context and queue.
  std::shared_ptr<ContextState> kept_context;
  std::shared_ptr<QueueState> kept_queue;
  std::map<std::string, std::vector<std::weak_ptr<DeviceState>>, std::less<>> partitions;
  /// Number of sub-devices made so far, for their filter strings.
  int made_sub_devices = 0;

  const DeviceFacts& facts() const noexcept { return known_facts; }
};

/// The root device of `device`.
DeviceState& root_of(const Device& device) noexcept;

/// "native_cpu:cpu:0" for messages.
std::string describe(const Device& device);

}  // namespace hither::runtime
