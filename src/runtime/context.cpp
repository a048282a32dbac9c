#include <hither/context.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/context_state.h"
#include "runtime/device_state.h"

namespace hither {
namespace {

struct Contexts {
  std::mutex mutex;
  std::vector<std::weak_ptr<runtime::ContextState>> all;
};

Contexts& contexts() {
  static auto& contexts = *new Contexts;
  return contexts;
}

std::shared_ptr<runtime::ContextState> make_state(const std::vector<Device>& devices) {
  if (devices.empty())
    throw Error(ErrorKind::kValue, "Context", "a context needs at least one device");
  std::vector<std::shared_ptr<runtime::DriverDevice>> drivers;
  for (const Device& device : devices) {
    if (device.state()->platform != devices[0].state()->platform)
      throw Error(ErrorKind::kValue, "Context",
                  "devices of one context must be of one platform, but " +
                      devices[0].filter_string() + " and " + device.filter_string() +
                      " are not; make one context for each");
    if (std::count(devices.begin(), devices.end(), device) > 1)
      throw Error(ErrorKind::kValue, "Context", device.filter_string() + " is listed twice");
    drivers.push_back(device.state()->driver);
  }
  auto state = std::make_shared<runtime::ContextState>();
  state->devices = devices;
  state->driver = drivers[0]->make_context(drivers);
  runtime::register_context(state);
  return state;
}

}  // namespace

Context::Context(const std::vector<Device>& devices) : state_(make_state(devices)) {}

Context Context::default_for(const Device& device) {
  runtime::DeviceState& d = *device.state();
  std::lock_guard lock(d.mutex);
  if (auto known = d.default_context.lock()) return Context(std::move(known));
  auto state = std::make_shared<runtime::ContextState>();
  state->devices = {device};
  state->driver = d.driver->make_default_context(d.driver);
  runtime::register_context(state);
  const Context made(std::move(state));
  d.default_context = made.state();
  // Not for a sub-device: it would keep itself alive.
  if (!d.parent) d.kept_context = made.state();
  return made;
}

const std::vector<Device>& Context::devices() const { return state_->devices; }

int runtime::ContextState::index_of(const Device& device) const noexcept {
  const auto found = std::find(devices.begin(), devices.end(), device);
  return found == devices.end() ? -1 : static_cast<int>(found - devices.begin());
}

void runtime::register_context(const std::shared_ptr<ContextState>& context) {
  std::lock_guard lock(contexts().mutex);
  std::erase_if(contexts().all, [](const auto& known) { return known.expired(); });
  contexts().all.push_back(context);
}

std::vector<std::shared_ptr<runtime::ContextState>> runtime::contexts_of(const DeviceState& root) {
  std::vector<std::shared_ptr<ContextState>> found;
  {
    std::lock_guard lock(contexts().mutex);
    for (const auto& known : contexts().all)
      if (auto context = known.lock()) found.push_back(std::move(context));
  }
  std::erase_if(found, [&](const auto& context) {
    return std::ranges::none_of(context->devices,
                                [&](const Device& d) { return &root_of(d) == &root; });
  });
  return found;
}

}  // namespace hither
