#include <hither/device.h>

#include <algorithm>
#include <array>

#include <hither/error.h>

#include "process/environment.h"
#include "runtime/device_state.h"
#include "runtime/registry.h"

namespace hither {
namespace {

constexpr std::array<std::string_view, kAspectCount> kAspectNames = {
    "cpu",
    "gpu",
    "accelerator",
    "custom",
    "emulated",
    "host_debuggable",
    "fp16",
    "fp64",
    "atomic64",
    "image",
    "online_compiler",
    "online_linker",
    "queue_profiling",
    "usm_device_allocations",
    "usm_host_allocations",
    "usm_atomic_host_allocations",
    "usm_shared_allocations",
    "usm_atomic_shared_allocations",
    "usm_system_allocations"};
#define HITHER_DRIVER(folder, name, backends) backends
#define HITHER_BACKEND(constant, name) name,
constexpr std::string_view kBackendNames[] = {
#include <hither/backend_table.def>
};
#undef HITHER_BACKEND
#define HITHER_BACKEND(constant, name) Backend::constant,
constexpr Backend kBackends[] = {
#include <hither/backend_table.def>
};
#undef HITHER_BACKEND
#undef HITHER_DRIVER
constexpr std::array<std::string_view, 3> kTypeNames = {"cpu", "gpu", "accelerator"};

int64_t units_of(const Device& device) {
  return std::get<int64_t>(device.info("max_compute_units"));
}

/// Sub-devices of `parent`: those made before in the same way, as far as they are still alive.
std::vector<Device> sub_devices(const std::shared_ptr<runtime::DeviceState>& parent,
                                PartitionKind kind, std::span<const int64_t> counts,
                                std::string_view domain) {
  std::string key = std::to_string(static_cast<int>(kind)) + std::string(domain);
  for (int64_t count : counts) key += "," + std::to_string(count);

  std::lock_guard lock(parent->mutex);
  auto& known = parent->partitions[key];
  std::vector<Device> devices;
  for (const auto& weak : known)
    if (auto state = weak.lock()) devices.emplace_back(std::move(state));
  if (!known.empty() && devices.size() == known.size()) return devices;

  const auto made = parent->driver->partition(kind, counts, domain);
  known.resize(made.size());
  devices.clear();
  for (size_t i = 0; i < made.size(); ++i) {
    auto state = known[i].lock();
    if (!state) {
      state = std::make_shared<runtime::DeviceState>(made[i]);
      state->platform = parent->platform;
      state->parent = parent;
      state->part = DevicePart{kind, {counts.begin(), counts.end()}, std::string(domain), i};
      state->filter_string =
          parent->filter_string + "[" + std::to_string(parent->made_sub_devices++) + "]";
      known[i] = state;
    }
    devices.emplace_back(std::move(state));
  }
  return devices;
}

}  // namespace

std::string_view name_of(Aspect aspect) noexcept { return kAspectNames[static_cast<int>(aspect)]; }
std::string_view name_of(Backend backend) noexcept {
  return kBackendNames[static_cast<int>(backend)];
}
std::span<const Backend> all_backends() noexcept { return kBackends; }
std::string_view name_of(DeviceType type) noexcept { return kTypeNames[static_cast<int>(type)]; }

std::string runtime::describe(const Device& device) { return device.filter_string(); }

Device Device::select(std::string_view filter) {
  return runtime::Registry::process().select(filter);
}

Device Device::select_default() {
  const std::string_view wanted = process::environment(process::variable::kDevice);
  if (wanted.empty()) return runtime::Registry::process().preferred();
  try {
    return select(wanted);
  } catch (const Error& error) {
    throw Error(error.kind(), process::variable::kDevice, error.message());
  }
}

std::vector<Device> Device::all() { return runtime::Registry::process().devices(); }

Backend Device::backend() const { return state_->facts().backend; }
DeviceType Device::type() const { return state_->facts().type; }
const std::string& Device::filter_string() const { return state_->filter_string; }
bool Device::has(Aspect aspect) const { return state_->facts().has(aspect); }

InfoValue Device::info(std::string_view name) const {
  const auto& info = state_->facts().info;
  const auto found = info.find(name);
  if (found != info.end()) return found->second;
  std::string known;
  for (const auto& [key, value] : info) known += (known.empty() ? "" : ", ") + key;
  throw Error(
      ErrorKind::kValue, "Device.info",
      filter_string() + " has no descriptor \"" + std::string(name) + "\"; it has " + known);
}

std::vector<std::string> Device::info_names() const {
  std::vector<std::string> names;
  for (const auto& [key, value] : state_->facts().info) names.push_back(key);
  return names;
}

bool Device::is_root() const { return !state_->parent; }

std::optional<Device> Device::parent() const {
  return state_->parent ? std::optional<Device>(state_->parent) : std::nullopt;
}

std::optional<DevicePart> Device::part() const { return state_->part; }

std::vector<Device> Device::create_sub_devices_equally(int64_t units) const {
  const int64_t all = units_of(*this);
  if (units < 1 || units > all)
    throw Error(ErrorKind::kValue, "create_sub_devices",
                "partition gives " + std::to_string(units) + " compute units to each, but " +
                    filter_string() + " has " + std::to_string(all) + "; give 1 to " +
                    std::to_string(all));
  const std::vector<int64_t> counts(static_cast<size_t>(all / units), units);
  return sub_devices(state_, PartitionKind::kEqually, counts, {});
}

std::vector<Device> Device::create_sub_devices_by_counts(std::span<const int64_t> counts) const {
  const int64_t all = units_of(*this);
  int64_t sum = 0;
  for (int64_t count : counts) {
    if (count < 1 || count > all)
      throw Error(ErrorKind::kValue, "create_sub_devices",
                  "partition asks for " + std::to_string(count) +
                      " compute units; each sub-device needs 1 to " + std::to_string(all));
    sum += count;
  }
  if (counts.empty() || sum > all)
    throw Error(ErrorKind::kValue, "create_sub_devices",
                "partition asks for " + std::to_string(sum) + " compute units in all, but " +
                    filter_string() + " has " + std::to_string(all));
  return sub_devices(state_, PartitionKind::kByCounts, counts, {});
}

std::vector<Device> Device::create_sub_devices_by_affinity(std::string_view domain) const {
  return sub_devices(state_, PartitionKind::kByAffinity, {}, domain);
}

size_t runtime::DeviceMemory::limit() const {
  size_t limit = limit_.load(std::memory_order_relaxed);
  if (limit != kUnread) return limit;
  const auto given = process::size_in_environment(
      process::variable::kMemoryLimit, static_cast<uint64_t>(std::max(whole_, int64_t{})));
  const size_t read = given ? std::min<size_t>(*given, kNoLimit) : kNoLimit;
  return limit_.compare_exchange_strong(limit, read) ? read : limit;
}

runtime::DeviceState& runtime::root_of(const Device& device) noexcept {
  DeviceState* state = device.state().get();
  while (state->parent) state = state->parent.get();
  return *state;
}

}  // namespace hither
