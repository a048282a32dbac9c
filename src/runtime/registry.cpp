#include "runtime/registry.h"

#include <map>

#include <hither/absent_backends.h>

#include "runtime/device_state.h"
#include "runtime/driver_list.h"
#include "runtime/filter_selector.h"

namespace hither::runtime {
namespace {

/// The rank of a device, smaller is preferred: as SYCL's default selector.
int rank_of(const Device& device) {
  const DeviceFacts& facts = device.state()->facts();
  if (facts.rank) return *facts.rank;
  return device.type() == DeviceType::kGpu ? 0 : device.type() == DeviceType::kCpu ? 2 : 3;
}

}  // namespace

const Registry& Registry::process() {
  static const Registry& registry = *new Registry;
  return registry;
}

Registry::Registry() {
  std::map<std::pair<Backend, DeviceType>, int> counts;
  for (const DriverEntry& entry : driver_list()) {
    std::unique_ptr<Driver> driver = entry.make();
    if (!driver) continue;
    const auto found = driver->devices();
    const std::string absence = driver->absence();
    if (found.empty() || !absence.empty())
      absences_.push_back(std::string(entry.name) + ": " + absence);
    for (const auto& driver_device : found) {
      auto state = std::make_shared<DeviceState>(driver_device);
      const DeviceFacts& facts = state->facts();
      state->platform = driver.get();
      const int index = counts[{facts.backend, facts.type}]++;
      state->filter_string = runtime::filter_string(facts.backend, facts.type, index);
      devices_.emplace_back(std::move(state));
    }
    drivers_.push_back(std::move(driver));
  }
}

NativeObjects* Registry::native_objects() const {
  for (const auto& driver : drivers_)
    if (NativeObjects* objects = driver->native_objects()) return objects;
  return nullptr;
}

Device Registry::select(std::string_view text) const {
  for (const Filter& filter : parse_filter(text)) {
    // Among the matches of "cpu", native_cpu is first and null last, independent of the drivers'
    // order.
    for (int rank = 0, left = filter.index; rank < 10; ++rank) {
      for (const Device& device : devices_) {
        if (rank_of(device) != rank) continue;
        if (filter.backend && device.backend() != *filter.backend) continue;
        if (filter.type && device.type() != *filter.type) continue;
        if (left-- == 0) return device;
      }
    }
  }
  std::string there;
  for (const Device& device : devices_)
    there += (there.empty() ? "" : ", ") + device.filter_string();
  std::string message = "no device matches \"" + std::string(text) + "\"; the devices are " + there;
  if (!absences_.empty()) message += "\nNo devices of these back ends:";
  for (const std::string& absence : absences_) message += "\n  " + absence;
  throw Error(ErrorKind::kValue, "filter string", message);
}

Device Registry::preferred() const {
  const Device* best = nullptr;
  for (const Device& device : devices_)
    if (!best || rank_of(device) < rank_of(*best)) best = &device;
  if (!best) throw Error(ErrorKind::kDevice, "Device", "there is no device in this process");
  return *best;
}

}  // namespace hither::runtime

namespace hither {

const std::vector<std::string>& absent_backends() {
  return runtime::Registry::process().absences();
}

}  // namespace hither
