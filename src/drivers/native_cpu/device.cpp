#include "drivers/native_cpu/device.h"

#include <algorithm>

#include "drivers/native_cpu/context.h"

namespace hither::drivers::native_cpu {

CpuDevice::CpuDevice(Units units, Placement placement)
    : units_(std::move(units)),
      placement_(placement),
      facts_(make_facts(units_, placement == Placement::kWholeDevice)),
      arena_(std::make_shared<Arena>(units_, placement)),
      sort_(arena_) {}

std::vector<std::shared_ptr<runtime::DriverDevice>> CpuDevice::partition(
    PartitionKind kind, std::span<const int64_t> counts, std::string_view domain) {
  std::vector<Units> parts;
  if (kind == PartitionKind::kByAffinity) {
    parts = split_by_domain(units_, domain);
    if (parts.size() < 2)
      throw Error(ErrorKind::kUnsupported, "create_sub_devices",
                  "the compute units do not divide by \"" + std::string(domain) +
                      "\"; see the device's partition_affinity_domains");
  } else {
    auto next = units_.begin();
    for (int64_t count : counts) {
      parts.emplace_back(next, next + count);
      next += count;
    }
  }
  std::vector<std::shared_ptr<runtime::DriverDevice>> devices;
  const bool bound = kind == PartitionKind::kByAffinity || placement_ == Placement::kBound ||
                     Topology::machine().numa_nodes > 1;
  for (Units& part : parts)
    devices.push_back(std::make_shared<CpuDevice>(
        std::move(part), bound ? Placement::kBound : Placement::kAnywhere));
  return devices;
}

std::unique_ptr<runtime::DriverContext> CpuDevice::make_context(
    std::span<const std::shared_ptr<runtime::DriverDevice>>) {
  return std::make_unique<CpuContext>();
}

std::vector<Units> split_by_domain(const Units& units, std::string_view domain) {
  for (const Topology::Domain& candidate : Topology::machine().domains) {
    const bool any = domain == "next_partitionable";
    if (!any && candidate.name != domain) continue;
    std::vector<Units> parts;
    for (const Units& group : candidate.groups) {
      Units part;
      for (int unit : units)
        if (std::find(group.begin(), group.end(), unit) != group.end()) part.push_back(unit);
      if (!part.empty()) parts.push_back(std::move(part));
    }
    if (!any || parts.size() > 1) return parts;
  }
  return {};
}

}  // namespace hither::drivers::native_cpu
