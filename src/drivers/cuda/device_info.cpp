// CUDA's attributes under SYCL's names.
#include <array>

#include <fmt/format.h>

#include "drivers/cuda/checked.h"
#include "drivers/cuda/device.h"

namespace hither::drivers::cuda {
namespace {

constexpr int64_t kNvidiaVendorId = 0x10de;
/// Bytes of kernel parameters that every architecture supports.
constexpr int64_t kMaxParameterBytes = 4096;
/// The line size of the second-level cache.
constexpr int64_t kCacheLineBytes = 128;

std::string name_of(CUdevice device) {
  std::array<char, 256> name{};
  check(api().cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device),
        "cuDeviceGetName", "Device");
  return name.data();
}

/// A MIG instance has its own UUID, which CUDA_VISIBLE_DEVICES accepts after "MIG-".
std::string uuid_of(CUdevice device) {
  CUuuid uuid{};
  check(api().cuDeviceGetUuid(&uuid, device), "cuDeviceGetUuid", "Device");
  std::string text;
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid.bytes[i]);
  }
  return text;
}

std::string pci_address_of(CUdevice device) {
  std::array<char, 32> text{};
  check(api().cuDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()) - 1, device),
        "cuDeviceGetPCIBusId", "Device");
  return text.data();
}

void add_identity(runtime::DeviceFacts& f, CUdevice device, int64_t major, int64_t minor) {
  const std::string driver = version_text(api().version);
  f.info["name"] = name_of(device);
  f.info["vendor"] = std::string("NVIDIA Corporation");
  f.info["vendor_id"] = kNvidiaVendorId;
  f.info["platform_name"] = std::string("NVIDIA CUDA");
  f.info["driver_version"] = driver;
  f.info["version"] = fmt::format("{}.{}", major, minor);
  f.info["backend_version"] = driver;
  f.info["uuid"] = uuid_of(device);
  f.info["pci_address"] = pci_address_of(device);
  f.info["is_available"] = true;
  f.info["is_compiler_available"] = true;
  f.info["is_linker_available"] = true;
  f.info["is_sub_device"] = false;
  f.info["partition_max_sub_devices"] = int64_t{0};
  f.info["partition_properties"] = std::string();
  f.info["partition_affinity_domains"] = std::string();
}

void add_execution(runtime::DeviceFacts& f, CUdevice device) {
  const int64_t warp = attribute(device, kWarpSize);
  const int64_t group = attribute(device, kMaxThreadsPerBlock);
  // The last dimension is the device's x.
  const std::vector<int64_t> sizes{attribute(device, kMaxBlockZ), attribute(device, kMaxBlockY),
                                   attribute(device, kMaxBlockX)};
  f.info["max_compute_units"] = attribute(device, kMultiprocessorCount);
  f.info["max_work_item_dims"] = int64_t{3};
  f.info["max_work_item_sizes1d"] = std::vector<int64_t>(sizes.begin() + 2, sizes.end());
  f.info["max_work_item_sizes2d"] = std::vector<int64_t>(sizes.begin() + 1, sizes.end());
  f.info["max_work_item_sizes3d"] = sizes;
  f.info["max_work_item_sizes"] = sizes;
  f.info["max_work_group_size"] = group;
  f.info["max_global_work_groups"] = attribute(device, kMaxGridX);
  f.info["max_num_sub_groups"] = group / warp;
  f.info["sub_group_sizes"] = std::vector<int64_t>{warp};
  f.info["sub_group_independent_forward_progress"] = true;
  f.info["max_clock_frequency"] = attribute(device, kClockRate) / 1000;
  f.info["address_bits"] = int64_t{64};
  f.info["is_endian_little"] = true;
  f.info["profiling_timer_resolution"] = int64_t{500};
  f.info["max_parameter_size"] = kMaxParameterBytes;
  f.info["error_correction_support"] = attribute(device, kEccEnabled) != 0;
  f.info["queue_in_order_default"] = true;
  f.info["max_threads_per_compute_unit"] = attribute(device, kMaxThreadsPerMultiprocessor);
  f.info["copy_engines"] = attribute(device, kAsyncEngineCount);
  for (const char* type : {"half", "single", "double"})
    f.info[std::string(type) + "_fp_config"] =
        std::string("denorm,inf_nan,round_to_nearest,round_to_zero,round_to_inf,fma") +
        (type == std::string_view("half") ? "" : ",correctly_rounded_divide_sqrt");
  for (const char* what : {"memory", "fence"}) {
    const std::string prefix = std::string("atomic_") + what;
    f.info[prefix + "_order_capabilities"] = std::string("relaxed,acquire,release,acq_rel,seq_cst");
    f.info[prefix + "_scope_capabilities"] =
        std::string("work_item,sub_group,work_group,device,system");
  }
  // A work-item is a lane: it has vectors only for loads and pairs of halves.
  for (const char* type : {"char", "short", "int", "long", "float", "double", "half"}) {
    const int64_t width = type == std::string_view("half") ? 2 : 1;
    f.info[std::string("native_vector_width_") + type] = width;
    f.info[std::string("preferred_vector_width_") + type] = width;
  }
}

void add_memory(runtime::DeviceFacts& f, CUdevice device) {
  size_t bytes = 0;
  check(api().cuDeviceTotalMem(&bytes, device), "cuDeviceTotalMem", "Device");
  const bool unified = attribute(device, kIntegrated) != 0;
  f.info["global_mem_size"] = static_cast<int64_t>(bytes);
  f.info["max_mem_alloc_size"] = static_cast<int64_t>(bytes);
  f.info["global_mem_cache_size"] = attribute(device, kL2CacheBytes);
  f.info["cache_l2_bytes"] = attribute(device, kL2CacheBytes);
  f.info["global_mem_cache_type"] = std::string("read_write");
  f.info["global_mem_cache_line_size"] = kCacheLineBytes;
  f.info["cache_line_size"] = kCacheLineBytes;
  f.info["local_mem_size"] = f.local_mem_bytes;
  f.info["local_mem_type"] = std::string("local");
  f.info["max_constant_buffer_size"] = attribute(device, kTotalConstantMemory);
  f.info["mem_base_addr_align"] = int64_t{256 * 8};
  f.info["host_unified_memory"] = unified;
  f.info["memory_clock_rate"] = attribute(device, kMemoryClockRate) / 1000;
  f.info["memory_bus_width"] = attribute(device, kMemoryBusWidth);
}

void add_aspects(runtime::DeviceFacts& f, CUdevice device) {
  for (Aspect a : {Aspect::kGpu, Aspect::kFp16, Aspect::kFp64, Aspect::kAtomic64,
                   Aspect::kOnlineCompiler, Aspect::kOnlineLinker, Aspect::kQueueProfiling,
                   Aspect::kUsmDeviceAllocations, Aspect::kUsmHostAllocations})
    f.set(a);
  if (attribute(device, kManagedMemory)) f.set(Aspect::kUsmSharedAllocations);
  if (attribute(device, kHostNativeAtomics)) f.set(Aspect::kUsmAtomicHostAllocations);
  if (attribute(device, kConcurrentManagedAccess)) f.set(Aspect::kUsmAtomicSharedAllocations);
  if (attribute(device, kPageableMemoryAccess)) f.set(Aspect::kUsmSystemAllocations);
}

}  // namespace

runtime::DeviceFacts make_facts(CUdevice device) {
  const int64_t major = attribute(device, kComputeCapabilityMajor);
  const int64_t minor = attribute(device, kComputeCapabilityMinor);
  runtime::DeviceFacts f;
  f.backend = Backend::kCuda;
  f.type = DeviceType::kGpu;
  f.target = {target::TargetKind::kPtx, fmt::format("sm_{}{}", major, minor)};
  f.max_work_group_size = attribute(device, kMaxThreadsPerBlock);
  f.gains_from_local_size = true;
  f.local_mem_bytes = attribute(device, kMaxSharedBytesPerBlockOptin);
  add_identity(f, device, major, minor);
  add_execution(f, device);
  add_memory(f, device);
  add_aspects(f, device);
  return f;
}

}  // namespace hither::drivers::cuda
