// The properties of a device.
#pragma once

#include <map>
#include <optional>
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
  /// Whether the code of a kernel depends on the local size of its launches if it has groups, and
  /// not on the number of dimensions of their ranges.
  bool compiles_for_local_size = false;
  /// Whether the code of a kernel with groups is compiled for each local size because it is faster
  /// then.
  bool gains_from_local_size = false;
  /// Whether the device's compiler takes seconds for vector code that others compile in a fraction
  /// of a second. Kernels with fewer vectors are chosen.
  bool compiles_vectors_slowly = false;
  /// 0 to 9, smaller is preferred as the default device; by default GPUs have 0, CPUs 2 and others
  /// 3.
  std::optional<int> rank;
  int64_t max_work_group_size = 1;
  int64_t local_mem_bytes = 0;

  bool has(Aspect a) const noexcept { return (aspects >> static_cast<int>(a)) & 1; }
  void set(Aspect a) noexcept { aspects |= 1u << static_cast<int>(a); }
};

/// They live as long as the device.
const DeviceFacts& facts_of(const Device& device);

}  // namespace hither::runtime
