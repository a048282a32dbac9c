// The state of a Context.
#pragma once

#include <memory>
#include <vector>

#include <hither/context.h>

#include "runtime/driver.h"

namespace hither::runtime {

struct DeviceState;

struct ContextState {
  std::vector<Device> devices;
  std::unique_ptr<DriverContext> driver;

  /// Index of `device` in devices, or -1.
  int index_of(const Device& device) const noexcept;
};

/// Lets contexts_of() know the context.
void register_context(const std::shared_ptr<ContextState>& context);

/// The contexts of the process that have the root device or one of its sub-devices.
std::vector<std::shared_ptr<ContextState>> contexts_of(const DeviceState& root);

}  // namespace hither::runtime
