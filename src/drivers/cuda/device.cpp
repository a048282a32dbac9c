#include "drivers/cuda/device.h"

#include "drivers/cuda/checked.h"
#include "drivers/cuda/context.h"

namespace hither::drivers::cuda {

int64_t attribute(CUdevice device, DeviceAttribute attribute) {
  int value = 0;
  check(api().cuDeviceGetAttribute(&value, attribute, device), "cuDeviceGetAttribute", "Device");
  return value;
}

CudaDevice::CudaDevice(CUdevice native)
    : native_(native),
      moves_shared_(attribute(native, kConcurrentManagedAccess) != 0),
      facts_(make_facts(native)) {}

bool reaches(CUdevice from, CUdevice to) noexcept {
  int can = 0;
  return from == to || (api().cuDeviceCanAccessPeer(&can, from, to) == kSuccess && can != 0);
}

std::vector<std::shared_ptr<runtime::DriverDevice>> CudaDevice::partition(PartitionKind,
                                                                          std::span<const int64_t>,
                                                                          std::string_view) {
  throw Error(ErrorKind::kUnsupported, "create_sub_devices",
              std::get<std::string>(facts_.info.at("name")) +
                  " cannot be divided by a program; an administrator can divide it (MIG), and each "
                  "instance is then a device");
}

std::unique_ptr<runtime::DriverContext> CudaDevice::make_context(
    std::span<const std::shared_ptr<runtime::DriverDevice>> devices) {
  std::vector<std::shared_ptr<CudaDevice>> cuda_devices;
  for (const auto& device : devices)
    cuda_devices.push_back(std::static_pointer_cast<CudaDevice>(device));
  return std::make_unique<CudaContext>(std::move(cuda_devices), false);
}

std::unique_ptr<runtime::DriverContext> CudaDevice::make_default_context(
    const std::shared_ptr<runtime::DriverDevice>& self) {
  return std::make_unique<CudaContext>(std::vector{std::static_pointer_cast<CudaDevice>(self)},
                                       true);
}

}  // namespace hither::drivers::cuda
