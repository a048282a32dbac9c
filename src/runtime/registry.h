// The root devices of this process.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <hither/device.h>

#include "runtime/driver.h"

namespace hither::runtime {

/// Process-wide. It is made on first use and never destroyed, so that static variables that hold
/// devices may be destroyed in any order. Thread-safe; immutable.
class Registry {
 public:
  static const Registry& process();

  const std::vector<Device>& devices() const noexcept { return devices_; }
  /// The first match of a filter string; see Device::select.
  Device select(std::string_view filter) const;
  /// SYCL's default: a GPU before a CPU, native_cpu before other CPUs; the null device only if
  /// there is no other.
  Device preferred() const;
  /// Back ends without devices, each with the reason.
  const std::vector<std::string>& absences() const noexcept { return absences_; }
  /// Those of the driver that has devices and can adopt native objects; null if there is none.
  NativeObjects* native_objects() const;

 private:
  Registry();
  std::vector<std::unique_ptr<Driver>> drivers_;
  std::vector<Device> devices_;
  std::vector<std::string> absences_;
};

}  // namespace hither::runtime
