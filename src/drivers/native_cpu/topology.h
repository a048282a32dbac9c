// What hwloc says of this machine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hither::drivers::native_cpu {

/// One hardware thread, by the operating system's number.
using Units = std::vector<int>;

/// The hardware threads that this process may use, those of one core, cache and NUMA node side by
/// side, and what they share. Read once.
struct Topology {
  Units units;
  int cores = 0, numa_nodes = 0, packages = 0;
  int64_t memory_bytes = 0;  ///< of the machine, or of the control group if that is less
  int64_t l1_bytes = 0, l2_bytes = 0, l3_bytes = 0;  ///< of one cache; 0 when unknown
  int64_t cache_line_bytes = 64;
  std::string name, vendor;
  int64_t max_clock_mhz = 0;  ///< 0 when the system does not say

  /// Units grouped by what they share: "numa", "L4_cache" ... "L1_cache". One vector a domain.
  struct Domain {
    std::string_view name;
    std::vector<Units> groups;
  };
  std::vector<Domain> domains;

  static const Topology& machine();
};

}  // namespace hither::drivers::native_cpu
