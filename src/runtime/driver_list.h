// Every driver that this build has, in the order in which their devices are preferred by index.
#pragma once

#include <memory>
#include <vector>

#include "runtime/driver.h"

namespace hither::runtime {

struct DriverEntry {
  const char* name;
  /// Makes the driver, or null when it is switched off. A driver in a plugin is loaded here.
  std::unique_ptr<Driver> (*make)();
};

const std::vector<DriverEntry>& driver_list();

}  // namespace hither::runtime
