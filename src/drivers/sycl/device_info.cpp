// Device descriptors from SYCL, under SYCL's names.
#include <array>
#include <limits>
#include <type_traits>

#include "drivers/sycl/device.h"

namespace hither::drivers::sycl {
namespace {

namespace info = ::sycl::info;

/// The names of an enumeration's values, in SYCL's spelling, joined by commas.
template <class Value, size_t n>
std::string joined(const std::vector<Value>& values,
                   const std::array<std::pair<Value, const char*>, n>& names) {
  std::string text;
  for (const auto& [value, name] : names)
    if (std::find(values.begin(), values.end(), value) != values.end())
      text += (text.empty() ? "" : ",") + std::string(name);
  return text;
}

using Domain = info::partition_affinity_domain;
constexpr std::array<std::pair<Domain, const char*>, 6> kDomains = {
    {{Domain::numa, "numa"},
     {Domain::L4_cache, "L4_cache"},
     {Domain::L3_cache, "L3_cache"},
     {Domain::L2_cache, "L2_cache"},
     {Domain::L1_cache, "L1_cache"},
     {Domain::next_partitionable, "next_partitionable"}}};
using Property = info::partition_property;
constexpr std::array<std::pair<Property, const char*>, 3> kProperties = {
    {{Property::partition_equally, "partition_equally"},
     {Property::partition_by_counts, "partition_by_counts"},
     {Property::partition_by_affinity_domain, "partition_by_affinity_domain"}}};
using Float = info::fp_config;
constexpr std::array<std::pair<Float, const char*>, 8> kFloats = {
    {{Float::denorm, "denorm"},
     {Float::inf_nan, "inf_nan"},
     {Float::round_to_nearest, "round_to_nearest"},
     {Float::round_to_zero, "round_to_zero"},
     {Float::round_to_inf, "round_to_inf"},
     {Float::fma, "fma"},
     {Float::correctly_rounded_divide_sqrt, "correctly_rounded_divide_sqrt"},
     {Float::soft_float, "soft_float"}}};
using Order = ::sycl::memory_order;
constexpr std::array<std::pair<Order, const char*>, 5> kOrders = {{{Order::relaxed, "relaxed"},
                                                                   {Order::acquire, "acquire"},
                                                                   {Order::release, "release"},
                                                                   {Order::acq_rel, "acq_rel"},
                                                                   {Order::seq_cst, "seq_cst"}}};
using Scope = ::sycl::memory_scope;
constexpr std::array<std::pair<Scope, const char*>, 5> kScopes = {
    {{Scope::work_item, "work_item"},
     {Scope::sub_group, "sub_group"},
     {Scope::work_group, "work_group"},
     {Scope::device, "device"},
     {Scope::system, "system"}}};
using Execution = info::execution_capability;
constexpr std::array<std::pair<Execution, const char*>, 2> kExecutions = {
    {{Execution::exec_kernel, "exec_kernel"},
     {Execution::exec_native_kernel, "exec_native_kernel"}}};
constexpr std::array<std::pair<info::local_mem_type, const char*>, 3> kLocalTypes = {
    {{info::local_mem_type::none, "none"},
     {info::local_mem_type::local, "local"},
     {info::local_mem_type::global, "global"}}};
constexpr std::array<std::pair<info::global_mem_cache_type, const char*>, 3> kCacheTypes = {
    {{info::global_mem_cache_type::none, "none"},
     {info::global_mem_cache_type::read_only, "read_only"},
     {info::global_mem_cache_type::read_write, "read_write"}}};

InfoValue to_value(bool value) { return value; }
InfoValue to_value(const std::string& value) { return value; }
template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
InfoValue to_value(T value) {
  constexpr auto most = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return static_cast<int64_t>(std::min<uint64_t>(static_cast<uint64_t>(value), most));
}
template <int n>
InfoValue to_value(const ::sycl::range<n>& value) {
  std::vector<int64_t> sizes;
  for (int d = 0; d < n; ++d) sizes.push_back(static_cast<int64_t>(value[d]));
  return sizes;
}
InfoValue to_value(const std::vector<size_t>& value) {
  return std::vector<int64_t>(value.begin(), value.end());
}
InfoValue to_value(const std::vector<std::string>& value) {
  std::string text;
  for (const std::string& item : value)
    if (!item.empty()) text += (text.empty() ? "" : " ") + item;
  return text;
}
InfoValue to_value(const std::vector<Domain>& value) { return joined(value, kDomains); }
InfoValue to_value(const std::vector<Property>& value) { return joined(value, kProperties); }
InfoValue to_value(const std::vector<Float>& value) { return joined(value, kFloats); }
InfoValue to_value(const std::vector<Order>& value) { return joined(value, kOrders); }
InfoValue to_value(const std::vector<Scope>& value) { return joined(value, kScopes); }
InfoValue to_value(const std::vector<Execution>& value) { return joined(value, kExecutions); }
InfoValue to_value(info::local_mem_type value) { return joined(std::vector{value}, kLocalTypes); }
InfoValue to_value(info::global_mem_cache_type value) {
  return joined(std::vector{value}, kCacheTypes);
}

/// Descriptors that a device does not support are omitted.
template <class Descriptor>
void add(runtime::DeviceFacts& facts, const ::sycl::device& device, const char* name) {
  try {
    facts.info[name] = to_value(device.get_info<Descriptor>());
  } catch (const ::sycl::exception&) {
    facts.info.erase(name);
  }
}

#define HITHER_ADD(name) add<info::device::name>(facts, device, #name)

void add_identity(runtime::DeviceFacts& facts, const ::sycl::device& device, bool is_root) {
  HITHER_ADD(name);
  HITHER_ADD(vendor);
  HITHER_ADD(vendor_id);
  HITHER_ADD(driver_version);
  HITHER_ADD(version);
  HITHER_ADD(backend_version);
  HITHER_ADD(profile);
  HITHER_ADD(extensions);
  HITHER_ADD(built_in_kernels);
  HITHER_ADD(is_available);
  HITHER_ADD(is_compiler_available);
  HITHER_ADD(is_linker_available);
  HITHER_ADD(partition_max_sub_devices);
  HITHER_ADD(partition_properties);
  HITHER_ADD(partition_affinity_domains);
  facts.info["platform_name"] = device.get_platform().get_info<info::platform::name>();
  facts.info["is_sub_device"] = !is_root;
}

void add_execution(runtime::DeviceFacts& facts, const ::sycl::device& device) {
  HITHER_ADD(max_compute_units);
  add<info::device::max_work_item_dimensions>(facts, device, "max_work_item_dims");
  add<info::device::max_work_item_sizes<1>>(facts, device, "max_work_item_sizes1d");
  add<info::device::max_work_item_sizes<2>>(facts, device, "max_work_item_sizes2d");
  add<info::device::max_work_item_sizes<3>>(facts, device, "max_work_item_sizes3d");
  add<info::device::max_work_item_sizes<3>>(facts, device, "max_work_item_sizes");
  HITHER_ADD(max_work_group_size);
  HITHER_ADD(max_num_sub_groups);
  HITHER_ADD(sub_group_sizes);
  add<info::device::sub_group_independent_forward_progress>(
      facts, device, "sub_group_independent_forward_progress");
  HITHER_ADD(max_clock_frequency);
  HITHER_ADD(address_bits);
  HITHER_ADD(max_parameter_size);
  HITHER_ADD(profiling_timer_resolution);
  HITHER_ADD(is_endian_little);
  HITHER_ADD(execution_capabilities);
  HITHER_ADD(queue_profiling);
  HITHER_ADD(half_fp_config);
  HITHER_ADD(single_fp_config);
  HITHER_ADD(double_fp_config);
  HITHER_ADD(atomic_memory_order_capabilities);
  HITHER_ADD(atomic_fence_order_capabilities);
  HITHER_ADD(atomic_memory_scope_capabilities);
  HITHER_ADD(atomic_fence_scope_capabilities);
  HITHER_ADD(printf_buffer_size);
  HITHER_ADD(preferred_interop_user_sync);
}

void add_vector_widths(runtime::DeviceFacts& facts, const ::sycl::device& device) {
  HITHER_ADD(native_vector_width_char);
  HITHER_ADD(native_vector_width_short);
  HITHER_ADD(native_vector_width_int);
  HITHER_ADD(native_vector_width_long);
  HITHER_ADD(native_vector_width_float);
  HITHER_ADD(native_vector_width_double);
  HITHER_ADD(native_vector_width_half);
  HITHER_ADD(preferred_vector_width_char);
  HITHER_ADD(preferred_vector_width_short);
  HITHER_ADD(preferred_vector_width_int);
  HITHER_ADD(preferred_vector_width_long);
  HITHER_ADD(preferred_vector_width_float);
  HITHER_ADD(preferred_vector_width_double);
  HITHER_ADD(preferred_vector_width_half);
}

void add_memory(runtime::DeviceFacts& facts, const ::sycl::device& device) {
  HITHER_ADD(global_mem_size);
  HITHER_ADD(global_mem_cache_size);
  HITHER_ADD(global_mem_cache_type);
  HITHER_ADD(global_mem_cache_line_size);
  HITHER_ADD(max_mem_alloc_size);
  HITHER_ADD(local_mem_size);
  HITHER_ADD(local_mem_type);
  HITHER_ADD(mem_base_addr_align);
  HITHER_ADD(error_correction_support);
  HITHER_ADD(host_unified_memory);
  HITHER_ADD(max_constant_buffer_size);
  HITHER_ADD(max_constant_args);
}

void add_images(runtime::DeviceFacts& facts, const ::sycl::device& device) {
  HITHER_ADD(image_support);
  HITHER_ADD(max_read_image_args);
  HITHER_ADD(max_write_image_args);
  HITHER_ADD(image2d_max_width);
  HITHER_ADD(image2d_max_height);
  HITHER_ADD(image3d_max_width);
  HITHER_ADD(image3d_max_height);
  HITHER_ADD(image3d_max_depth);
  HITHER_ADD(image_max_buffer_size);
  HITHER_ADD(max_samplers);
}

#undef HITHER_ADD

void add_aspects(runtime::DeviceFacts& facts, const ::sycl::device& device) {
  using Native = ::sycl::aspect;
  // In the order of hither's own list.
  constexpr std::array<Native, kAspectCount> natives = {Native::cpu,
                                                        Native::gpu,
                                                        Native::accelerator,
                                                        Native::custom,
                                                        Native::emulated,
                                                        Native::host_debuggable,
                                                        Native::fp16,
                                                        Native::fp64,
                                                        Native::atomic64,
                                                        Native::image,
                                                        Native::online_compiler,
                                                        Native::online_linker,
                                                        Native::queue_profiling,
                                                        Native::usm_device_allocations,
                                                        Native::usm_host_allocations,
                                                        Native::usm_atomic_host_allocations,
                                                        Native::usm_shared_allocations,
                                                        Native::usm_atomic_shared_allocations,
                                                        Native::usm_system_allocations};
  for (int i = 0; i < kAspectCount; ++i)
    if (device.has(natives[i])) facts.set(static_cast<Aspect>(i));
  // SYCL uses host memory of such a device; hither uses it instead of USM.
  if (device.is_cpu() && !facts.has(Aspect::kUsmDeviceAllocations))
    for (Aspect usm : {Aspect::kUsmDeviceAllocations, Aspect::kUsmHostAllocations,
                       Aspect::kUsmSharedAllocations})
      facts.set(usm);
}

}  // namespace

runtime::DeviceFacts make_facts(const ::sycl::device& device, bool is_root) {
  runtime::DeviceFacts facts;
  facts.backend = *backend_of(device.get_backend());
  facts.type = device.is_cpu()   ? DeviceType::kCpu
               : device.is_gpu() ? DeviceType::kGpu
                                 : DeviceType::kAccelerator;
  facts.target = {target::TargetKind::kSpirv, "1.4"};
  facts.compiles_vectors_slowly = true;  // Intel's compilers
  add_identity(facts, device, is_root);
  add_execution(facts, device);
  add_vector_widths(facts, device);
  add_memory(facts, device);
  add_images(facts, device);
  add_aspects(facts, device);
  facts.device_usm_is_host_memory = device.is_cpu();
  facts.max_work_group_size =
      static_cast<int64_t>(device.get_info<info::device::max_work_group_size>());
  facts.local_mem_bytes = static_cast<int64_t>(device.get_info<info::device::local_mem_size>());
  facts.info.emplace("global_mem_size", int64_t{0});
  return facts;
}

}  // namespace hither::drivers::sycl
