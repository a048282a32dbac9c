#include "drivers/native_cpu/topology.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <thread>

#include <fcntl.h>
#include <hwloc.h>
#include <unistd.h>

namespace hither::drivers::native_cpu {
namespace {

using TopologyHandle = std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)>;
using BitmapHandle = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

TopologyHandle load() {
  hwloc_topology_t handle = nullptr;
  if (hwloc_topology_init(&handle) != 0) return {nullptr, hwloc_topology_destroy};
  TopologyHandle topology(handle, hwloc_topology_destroy);
  if (hwloc_topology_load(handle) != 0) return {nullptr, hwloc_topology_destroy};
  return topology;
}

/// PUs below `set` that the process may run on, in hwloc's logical order.
Units units_in(hwloc_topology_t topology, hwloc_const_bitmap_t set, hwloc_const_bitmap_t allowed) {
  Units units;
  for (hwloc_obj_t pu = nullptr;
       (pu = hwloc_get_next_obj_inside_cpuset_by_type(topology, set, HWLOC_OBJ_PU, pu));)
    if (hwloc_bitmap_isset(allowed, pu->os_index)) units.push_back(static_cast<int>(pu->os_index));
  return units;
}

std::vector<Units> groups_by(hwloc_topology_t topology, hwloc_obj_type_t type,
                             hwloc_const_bitmap_t allowed) {
  std::vector<Units> groups;
  const int count = std::max(0, hwloc_get_nbobjs_by_type(topology, type));
  for (int i = 0; i < count; ++i) {
    const hwloc_obj_t object = hwloc_get_obj_by_type(topology, type, static_cast<unsigned>(i));
    Units units = units_in(topology, object->cpuset, allowed);
    if (!units.empty()) groups.push_back(std::move(units));
  }
  return groups;
}

int64_t cache_bytes(hwloc_topology_t topology, hwloc_obj_type_t type) {
  const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
  return cache ? static_cast<int64_t>(cache->attr->cache.size) : 0;
}

/// The number in the first of these files that exists. 0 if there is none or it has another word,
/// nothing if the file cannot be read now, for example because too many are open.
std::optional<int64_t> number_in_file(std::initializer_list<const char*> paths) noexcept {
  for (const char* path : paths) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) continue;
    if (file < 0) return std::nullopt;
    char text[32];
    const ssize_t size = read(file, text, sizeof text);
    close(file);
    if (size < 0) return std::nullopt;
    int64_t number = 0;
    std::from_chars(text, text + size, number);
    return number;
  }
  return 0;
}

/// The limit of this process's control group (version 2, then 1), or INT64_MAX.
std::optional<int64_t> control_group_limit() noexcept {
  const auto bytes =
      number_in_file({"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"});
  return bytes && *bytes <= 0 ? INT64_MAX : bytes;
}

/// The memory that this process's control group uses, or 0.
int64_t control_group_use() noexcept {
  return number_in_file(
             {"/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory/memory.usage_in_bytes"})
      .value_or(0);
}

int64_t max_clock_mhz() {
  std::ifstream exact("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  int64_t khz = 0;
  if (exact >> khz) return khz / 1000;
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("cpu MHz")) return std::stoll(line.substr(line.find(':') + 1));
  return 0;
}

/// The topology from the standard library, if hwloc fails.
Topology fallback() {
  Topology t;
  const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  for (int i = 0; i < count; ++i) t.units.push_back(i);
  t.cores = count;
  t.numa_nodes = t.packages = 1;
  return t;
}

std::string info_of(hwloc_obj_t object, const char* key) {
  const char* value = object ? hwloc_obj_get_info_by_name(object, key) : nullptr;
  return value ? value : "";
}

Topology read() {
  const TopologyHandle handle = load();
  if (!handle) return fallback();
  hwloc_topology_t topology = handle.get();
  const BitmapHandle allowed(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology)),
                             hwloc_bitmap_free);
  const BitmapHandle bound(hwloc_bitmap_alloc(), hwloc_bitmap_free);
  if (hwloc_get_cpubind(topology, bound.get(), HWLOC_CPUBIND_PROCESS) == 0 &&
      hwloc_bitmap_intersects(bound.get(), allowed.get()))
    hwloc_bitmap_and(allowed.get(), allowed.get(), bound.get());

  Topology t;
  const hwloc_obj_t root = hwloc_get_root_obj(topology);
  t.units = units_in(topology, root->cpuset, allowed.get());
  if (t.units.empty()) return fallback();
  t.cores = static_cast<int>(
      std::max<size_t>(1, groups_by(topology, HWLOC_OBJ_CORE, allowed.get()).size()));
  t.packages = std::max(1, hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE));
  t.memory_bytes =
      std::min(static_cast<int64_t>(root->total_memory), control_group_limit().value_or(INT64_MAX));
  t.l1_bytes = cache_bytes(topology, HWLOC_OBJ_L1CACHE);
  t.l2_bytes = cache_bytes(topology, HWLOC_OBJ_L2CACHE);
  t.l3_bytes = cache_bytes(topology, HWLOC_OBJ_L3CACHE);
  if (const hwloc_obj_t l1 = hwloc_get_obj_by_type(topology, HWLOC_OBJ_L1CACHE, 0);
      l1 && l1->attr->cache.linesize)
    t.cache_line_bytes = l1->attr->cache.linesize;
  const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
  t.name = info_of(package, "CPUModel");
  t.vendor = info_of(package, "CPUVendor");
  t.max_clock_mhz = max_clock_mhz();
  // From the widest to the narrowest: "next_partitionable" takes the first that splits.
  t.domains = {{"numa", groups_by(topology, HWLOC_OBJ_NUMANODE, allowed.get())},
               {"L4_cache", groups_by(topology, HWLOC_OBJ_L4CACHE, allowed.get())},
               {"L3_cache", groups_by(topology, HWLOC_OBJ_L3CACHE, allowed.get())},
               {"L2_cache", groups_by(topology, HWLOC_OBJ_L2CACHE, allowed.get())},
               {"L1_cache", groups_by(topology, HWLOC_OBJ_L1CACHE, allowed.get())}};
  t.numa_nodes = static_cast<int>(std::max<size_t>(1, t.domains[0].groups.size()));
  return t;
}

}  // namespace

std::optional<int64_t> memory_bytes_now() noexcept {
  const int64_t machine = sysconf(_SC_PHYS_PAGES) * int64_t{sysconf(_SC_PAGESIZE)};
  const auto limit = control_group_limit();
  if (machine <= 0 || !limit) return std::nullopt;
  return std::min(machine, *limit);
}

std::optional<size_t> available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name;) {
    int64_t kilobytes = 0;
    if (name == "MemAvailable:" && file >> kilobytes) {
      const int64_t limit = control_group_limit().value_or(INT64_MAX);
      const int64_t rest = limit == INT64_MAX ? limit : limit - control_group_use();
      return static_cast<size_t>(std::max<int64_t>(0, std::min(kilobytes * 1024, rest)));
    }
    file.ignore(256, '\n');
  }
  return std::nullopt;
}

const Topology& Topology::machine() {
  static const Topology& topology = *new Topology(read());
  return topology;
}

}  // namespace hither::drivers::native_cpu
