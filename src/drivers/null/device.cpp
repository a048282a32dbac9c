#include "drivers/null/device.h"

#include <hither/version.h>

#include "drivers/null/context.h"

namespace hither::drivers::null {

NullDevice::NullDevice() {
  facts_.backend = Backend::kNull;
  facts_.type = DeviceType::kAccelerator;
  // Kernels compile for the CPU, so that compiling is tested too.
  facts_.target = {target::TargetKind::kCpu, ""};
  facts_.device_usm_is_host_memory = true;
  facts_.compiles_for_local_size = true;
  facts_.rank = 9;  // the last choice
  facts_.max_work_group_size = 1024;
  facts_.local_mem_bytes = 64 * 1024;
  facts_.aspects = (1u << kAspectCount) - 1;
  facts_.aspects &= ~(1u << static_cast<int>(Aspect::kCpu) | 1u << static_cast<int>(Aspect::kGpu) |
                      1u << static_cast<int>(Aspect::kImage));
  facts_.info["name"] = std::string("hither null device");
  facts_.info["vendor"] = std::string("hither");
  facts_.info["platform_name"] = std::string("hither null");
  facts_.info["driver_version"] = std::string(version());
  facts_.info["version"] = std::string(version());
  facts_.info["max_compute_units"] = int64_t{1};
  facts_.info["max_work_item_dims"] = int64_t{3};
  facts_.info["max_work_group_size"] = facts_.max_work_group_size;
  facts_.info["local_mem_size"] = facts_.local_mem_bytes;
  facts_.info["global_mem_size"] = int64_t{64} << 30;  // bounds the pending work of arrays
  facts_.info["profiling_timer_resolution"] = int64_t{1};
}

std::vector<std::shared_ptr<runtime::DriverDevice>> NullDevice::partition(PartitionKind,
                                                                          std::span<const int64_t>,
                                                                          std::string_view) {
  throw Error(ErrorKind::kUnsupported, "create_sub_devices", "the null device has no parts");
}

std::unique_ptr<runtime::DriverContext> NullDevice::make_context(
    std::span<const std::shared_ptr<runtime::DriverDevice>>) {
  return std::make_unique<NullContext>();
}

}  // namespace hither::drivers::null
