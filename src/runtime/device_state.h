// The state of a Device.
#pragma once

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

/// Root devices live as long as the process (the registry holds them), sub-devices as long as a
/// handle exists. Repeating a partition gives the same sub-devices while they live.
struct DeviceState {
  explicit DeviceState(std::shared_ptr<DriverDevice> d)
      : driver(std::move(d)),
        known_facts(driver->facts()),
        global_mem_bytes(std::get<int64_t>(known_facts.info.find("global_mem_size")->second)) {}

  const std::shared_ptr<DriverDevice> driver;
  const DeviceFacts& known_facts;  ///< of the driver
  const int64_t global_mem_bytes;
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

/// "native_cpu:cpu:0" for messages.
std::string describe(const Device& device);

}  // namespace hither::runtime
