// The properties of a device.
#pragma once

#include <map>
#include <string>

#include <hither/device.h>

#include "target/target.h"

namespace hither::runtime {

/// The properties of a device, which its driver determines once.
struct DeviceFacts {
  Backend backend{};
  DeviceType type{};
  uint32_t aspects = 0;  ///< bit i: static_cast<Aspect>(i)
  /// Required: name, vendor, version, driver_version, platform_name, max_compute_units,
  /// max_work_group_size, global_mem_size, local_mem_size.
  std::map<std::string, InfoValue, std::less<>> info;
  target::Target target;
  /// Whether host code can access this device's "device" USM (a CPU).
  bool device_usm_is_host_memory = false;
  int64_t max_work_group_size = 1;
  int64_t local_mem_bytes = 0;

  bool has(Aspect a) const noexcept { return (aspects >> static_cast<int>(a)) & 1; }
  void set(Aspect a) noexcept { aspects |= 1u << static_cast<int>(a); }
};

}  // namespace hither::runtime
