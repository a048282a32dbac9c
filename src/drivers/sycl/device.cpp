#include "drivers/sycl/device.h"

#include <algorithm>
#include <utility>

#include "drivers/sycl/checked.h"
#include "drivers/sycl/context.h"
#include "drivers/sycl/onemkl.h"
#include "drivers/sycl/tbb_workers.h"

namespace hither::drivers::sycl {
namespace {

using Domain = ::sycl::info::partition_affinity_domain;
using Property = ::sycl::info::partition_property;

bool has_extension(const ::sycl::device& device, std::string_view name) {
  const auto all = device.get_info<::sycl::info::device::extensions>();
  return std::find(all.begin(), all.end(), name) != all.end();
}

bool can_read_spirv(const ::sycl::device& device) {
  // All Level Zero drivers support it.
  return device.get_backend() != ::sycl::backend::opencl ||
         has_extension(device, "cl_khr_il_program");
}

Domain domain_of(std::string_view name) {
  for (const auto& [known, domain] : {std::pair{"numa", Domain::numa},
                                      {"L4_cache", Domain::L4_cache},
                                      {"L3_cache", Domain::L3_cache},
                                      {"L2_cache", Domain::L2_cache},
                                      {"L1_cache", Domain::L1_cache},
                                      {"next_partitionable", Domain::next_partitionable}})
    if (name == known) return domain;
  throw Error(ErrorKind::kUnsupported, "create_sub_devices",
              "there is no affinity domain \"" + std::string(name) + "\"");
}

}  // namespace

std::optional<Backend> backend_of(::sycl::backend backend) noexcept {
  switch (backend) {
    case ::sycl::backend::opencl:
      return Backend::kOpenCl;
    case ::sycl::backend::ext_oneapi_level_zero:
      return Backend::kLevelZero;
    default:
      return std::nullopt;
  }
}

::sycl::device root_of(::sycl::device device) {
  constexpr auto kWhole = Property::no_partition;
  while (device.get_info<::sycl::info::device::partition_type_property>() != kWhole)
    device = device.get_info<::sycl::info::device::parent_device>();
  return device;
}

SyclDevice::SyclDevice(::sycl::device native, bool is_root)
    : native_(std::move(native)),
      is_root_(is_root),
      takes_spirv_(can_read_spirv(native_)),
      has_usm_(native_.has(::sycl::aspect::usm_device_allocations)),
      facts_(make_facts(native_, is_root)) {}

void SyclDevice::check_parts(PartitionKind kind, std::span<const int64_t> counts) const {
  namespace info = ::sycl::info::device;
  if (kind == PartitionKind::kByAffinity) return;
  checked("create_sub_devices", [&] {
    const size_t units = native_.get_info<info::max_compute_units>();
    const size_t most = native_.get_info<info::partition_max_sub_devices>();
    const size_t parts =
        kind == PartitionKind::kByCounts ? counts.size() : units / static_cast<size_t>(counts[0]);
    if (parts <= most) return;
    throw Error(
        ErrorKind::kUnsupported, "create_sub_devices",
        "partition asks for " + std::to_string(parts) + " parts of " + std::to_string(units) +
            " compute units; the driver splits this device into at most " + std::to_string(most) +
            " (device.partition_max_sub_devices)" + (is_root_ ? "" : "; split its parent device"));
  });
}

std::vector<std::shared_ptr<runtime::DriverDevice>> SyclDevice::partition(
    PartitionKind kind, std::span<const int64_t> counts, std::string_view domain) {
  check_parts(kind, counts);
  const auto parts = checked("create_sub_devices", [&]() -> std::vector<::sycl::device> {
    const UsualThreads usual(native_);
    switch (kind) {
      case PartitionKind::kEqually:
        return native_.create_sub_devices<Property::partition_equally>(
            static_cast<size_t>(counts[0]));
      case PartitionKind::kByCounts:
        return native_.create_sub_devices<Property::partition_by_counts>(
            std::vector<size_t>(counts.begin(), counts.end()));
      default:
        return native_.create_sub_devices<Property::partition_by_affinity_domain>(
            domain_of(domain));
    }
  });
  checked("create_sub_devices", [&] { allow_a_worker_for_each_unit(native_); });
  std::vector<std::shared_ptr<runtime::DriverDevice>> devices;
  for (const ::sycl::device& part : parts)
    devices.push_back(std::make_shared<SyclDevice>(part, false));
  return devices;
}

std::unique_ptr<runtime::DriverContext> SyclDevice::make_context(
    std::span<const std::shared_ptr<runtime::DriverDevice>> devices) {
  std::vector<std::shared_ptr<SyclDevice>> sycl_devices;
  std::vector<::sycl::device> natives;
  for (const auto& device : devices) {
    sycl_devices.push_back(std::static_pointer_cast<SyclDevice>(device));
    natives.push_back(sycl_devices.back()->native());
    if (natives.back().get_platform() != natives.front().get_platform())
      throw Error(
          ErrorKind::kValue, "Context",
          "devices of one context must be of one platform, but these are of " +
              std::get<std::string>(sycl_devices.front()->facts().info.at("platform_name")) +
              " and " +
              std::get<std::string>(sycl_devices.back()->facts().info.at("platform_name")) +
              "; make one context for each");
  }
  return checked("Context", [&] {
    const UsualThreads usual(native_);
    return std::make_unique<SyclContext>(::sycl::context(natives), std::move(sycl_devices));
  });
}

std::unique_ptr<runtime::DriverContext> SyclDevice::make_default_context(
    const std::shared_ptr<runtime::DriverDevice>& self) {
  if (!is_root_) return make_context(std::span(&self, 1));
  return checked("Context", [&] {
    const UsualThreads usual(native_);
    return std::make_unique<SyclContext>(native_.get_platform().ext_oneapi_get_default_context(),
                                         std::vector{std::static_pointer_cast<SyclDevice>(self)});
  });
}

int SyclDevice::native_number() const noexcept {
  if (!has_usm_) return -1;
  try {
    static const auto* const all = new auto(::sycl::device::get_devices());
    const auto found = std::find(all->begin(), all->end(), root_of(native_));
    return found == all->end() ? -1 : static_cast<int>(found - all->begin());
  } catch (const ::sycl::exception&) {
    return -1;
  }
}

const runtime::Blas* SyclDevice::blas() { return has_usm_ ? onemkl_blas() : nullptr; }

const runtime::SparseLibrary* SyclDevice::sparse_library() {
  return has_usm_ ? onemkl_sparse() : nullptr;
}

}  // namespace hither::drivers::sycl
