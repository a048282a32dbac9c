// The state of a Context.
#pragma once

#include <memory>
#include <vector>

#include <hither/context.h>

#include "runtime/driver.h"

namespace hither::runtime {

struct ContextState {
  std::vector<Device> devices;
  std::unique_ptr<DriverContext> driver;

  /// Index of `device` in devices, or -1.
  int index_of(const Device& device) const noexcept;
};

}  // namespace hither::runtime
