// The drivers of this build, in the order in which their devices are listed.
#pragma once

#include <memory>
#include <vector>

#include "runtime/driver.h"

namespace hither::runtime {

struct DriverEntry {
  const char* name;
  /// Makes the driver; null if it is switched off. A driver in a plugin is loaded here.
  std::unique_ptr<Driver> (*make)();
};

const std::vector<DriverEntry>& driver_list();

}  // namespace hither::runtime
