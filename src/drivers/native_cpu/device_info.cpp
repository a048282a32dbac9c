#include <algorithm>
#include <bit>

#include <hither/version.h>

#include "drivers/native_cpu/device.h"

namespace hither::drivers::native_cpu {
namespace {

/// Bytes of the widest vector registers.
int64_t vector_bytes() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return 64;
  if (__builtin_cpu_supports("avx2") || __builtin_cpu_supports("avx")) return 32;
#endif
  return 16;  // SSE2, NEON
}

bool has_half_arithmetic() {
#if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 13
  return __builtin_cpu_supports("avx512fp16");
#else
  return false;
#endif
}

/// The limit of work-items in a group, for which loops of barrier kernels are designed.
constexpr int64_t kMaxWorkGroupSize = 8192;  // as in OpenCL on CPUs, which programs rely on
/// Local memory of a group: a part of the second-level cache.
constexpr int64_t kLocalMemBytes = 64 * 1024;
constexpr int64_t kMaxIndex = int64_t{1} << 62;

void add_identity(runtime::DeviceFacts& f, const Topology& t) {
  f.info["name"] = t.name.empty() ? std::string("CPU") : t.name;
  f.info["vendor"] = t.vendor.empty() ? std::string("unknown") : t.vendor;
  f.info["driver_version"] = std::string(version());
  f.info["version"] = std::string(version());
  f.info["platform_name"] = std::string("hither native CPU");
  f.info["backend_version"] = std::string(version());
  f.info["is_available"] = true;
  f.info["is_compiler_available"] = true;
  f.info["is_linker_available"] = true;
}

void add_execution(runtime::DeviceFacts& f, const Topology& t, const Units& units) {
  const int64_t lanes = vector_bytes() / 4;
  f.info["max_compute_units"] = static_cast<int64_t>(units.size());
  f.info["max_work_item_dims"] = int64_t{3};
  for (int d = 1; d <= 3; ++d)
    f.info["max_work_item_sizes" + std::to_string(d) + "d"] =
        std::vector<int64_t>(static_cast<size_t>(d), kMaxWorkGroupSize);
  f.info["max_work_item_sizes"] = std::vector<int64_t>(3, kMaxWorkGroupSize);
  f.info["max_work_group_size"] = kMaxWorkGroupSize;
  f.info["max_global_work_groups"] = kMaxIndex;
  f.info["max_num_sub_groups"] = kMaxWorkGroupSize / lanes;
  f.info["sub_group_sizes"] = std::vector<int64_t>{lanes};
  f.info["sub_group_independent_forward_progress"] = false;
  f.info["max_clock_frequency"] = t.max_clock_mhz;
  f.info["address_bits"] = int64_t{8 * sizeof(void*)};
  f.info["is_endian_little"] = std::endian::native == std::endian::little;
  f.info["profiling_timer_resolution"] = int64_t{1};
  f.info["max_parameter_size"] = int64_t{4096};
  f.info["simd_width_bits"] = 8 * vector_bytes();
  f.info["error_correction_support"] = false;
  f.info["queue_in_order_default"] = true;
}

void add_vector_widths(runtime::DeviceFacts& f) {
  struct Element {
    const char* name;
    int64_t bytes;
  };
  for (const auto& [name, bytes] : {Element{"char", 1},
                                    {"short", 2},
                                    {"int", 4},
                                    {"long", 8},
                                    {"float", 4},
                                    {"double", 8},
                                    {"half", 2}}) {
    const bool has = std::string_view(name) != "half" || has_half_arithmetic();
    const int64_t width = has ? vector_bytes() / bytes : 0;
    f.info["native_vector_width_" + std::string(name)] = width;
    f.info["preferred_vector_width_" + std::string(name)] = width;
  }
}

void add_memory(runtime::DeviceFacts& f, const Topology& t) {
  f.info["global_mem_size"] = t.memory_bytes;
  f.info["max_mem_alloc_size"] = t.memory_bytes;
  f.info["global_mem_cache_size"] = std::max({t.l1_bytes, t.l2_bytes, t.l3_bytes});
  f.info["global_mem_cache_type"] = std::string("read_write");
  f.info["global_mem_cache_line_size"] = t.cache_line_bytes;
  f.info["cache_line_size"] = t.cache_line_bytes;
  f.info["cache_l1_bytes"] = t.l1_bytes;
  f.info["cache_l2_bytes"] = t.l2_bytes;
  f.info["cache_l3_bytes"] = t.l3_bytes;
  f.info["local_mem_size"] = kLocalMemBytes;
  f.info["local_mem_type"] = std::string("global");  // plain memory, usually cached
  f.info["mem_base_addr_align"] = int64_t{64 * 8};
  f.info["host_unified_memory"] = true;
}

void add_partitions(runtime::DeviceFacts& f, const Topology& t, const Units& units, bool is_root) {
  std::string domains;
  for (const Topology::Domain& domain : t.domains)
    if (split_by_domain(units, domain.name).size() > 1)
      domains += (domains.empty() ? "" : ",") + std::string(domain.name);
  if (!domains.empty()) domains += ",next_partitionable";
  const bool divides = units.size() > 1;
  f.info["partition_max_sub_devices"] = divides ? static_cast<int64_t>(units.size()) : int64_t{0};
  f.info["partition_properties"] =
      std::string(!divides          ? ""
                  : domains.empty() ? "partition_equally,partition_by_counts"
                                    : "partition_equally,partition_by_counts,"
                                      "partition_by_affinity_domain");
  f.info["partition_affinity_domains"] = domains;
  f.info["is_sub_device"] = !is_root;
  f.info["numa_nodes"] =
      std::max<int64_t>(1, static_cast<int64_t>(split_by_domain(units, "numa").size()));
  f.info["cores"] = static_cast<int64_t>(is_root ? t.cores : units.size());
}

void add_aspects(runtime::DeviceFacts& f) {
  for (Aspect a : {Aspect::kCpu, Aspect::kHostDebuggable, Aspect::kFp64, Aspect::kAtomic64,
                   Aspect::kOnlineCompiler, Aspect::kOnlineLinker, Aspect::kQueueProfiling,
                   Aspect::kUsmDeviceAllocations, Aspect::kUsmHostAllocations,
                   Aspect::kUsmAtomicHostAllocations, Aspect::kUsmSharedAllocations,
                   Aspect::kUsmAtomicSharedAllocations, Aspect::kUsmSystemAllocations})
    f.set(a);
  // Every CPU computes float16; without float16 instructions it computes in float32.
  f.set(Aspect::kFp16);
}

}  // namespace

runtime::DeviceFacts make_facts(const Units& units, bool is_root) {
  const Topology& t = Topology::machine();
  runtime::DeviceFacts f;
  f.backend = Backend::kNativeCpu;
  f.type = DeviceType::kCpu;
  f.target = {target::TargetKind::kCpu, ""};
  f.device_usm_is_host_memory = true;
  f.compiles_for_local_size = true;
  f.rank = 1;  // before other CPUs
  f.max_work_group_size = kMaxWorkGroupSize;
  f.local_mem_bytes = kLocalMemBytes;
  add_identity(f, t);
  add_execution(f, t, units);
  add_vector_widths(f);
  add_memory(f, t);
  add_partitions(f, t, units, is_root);
  add_aspects(f);
  return f;
}

}  // namespace hither::drivers::native_cpu
