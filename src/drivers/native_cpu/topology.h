// The topology of this machine, from hwloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hither::drivers::native_cpu {

/// Hardware threads, by the operating system's numbers.
using Units = std::vector<int>;

/// The hardware threads that this process may use, ordered so that those of a core, cache and NUMA
/// node are adjacent, and the resources that they share. Read once.
struct Topology {
  Units units;
  int cores = 0, numa_nodes = 0, packages = 0;
  int64_t memory_bytes = 0;  ///< of the machine, or of its control group if less
  int64_t l1_bytes = 0, l2_bytes = 0, l3_bytes = 0;  ///< of one cache; 0 when unknown
  int64_t cache_line_bytes = 64;
  std::string name, vendor;
  int64_t max_clock_mhz = 0;  ///< 0 if unknown

  /// Units grouped by a shared resource: "numa", "L4_cache" ... "L1_cache".
  struct Domain {
    std::string_view name;
    std::vector<Units> groups;
  };
  std::vector<Domain> domains;

  static const Topology& machine();
};

/// Topology::memory_bytes now: the memory of a virtual machine may grow while the process runs.
/// Nothing if it cannot be read.
std::optional<int64_t> memory_bytes_now() noexcept;

/// Bytes that processes can still allocate: of the machine, or of this process's control group if
/// less. Nothing if the system does not say.
std::optional<size_t> available_memory();

}  // namespace hither::drivers::native_cpu
