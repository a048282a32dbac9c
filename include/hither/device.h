// Devices, their aspects and descriptors, and how to select them.
#pragma once
#ifndef HITHER_DEVICE_CODE
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <hither/export.h>

namespace hither {

namespace runtime {
struct DeviceState;
}

/// The rows of backend_table.def.
enum class Backend : uint8_t {
#define HITHER_DRIVER(folder, name, backends) backends
#define HITHER_BACKEND(constant, name) constant,
#include <hither/backend_table.def>
#undef HITHER_BACKEND
#undef HITHER_DRIVER
};
enum class DeviceType : uint8_t { kCpu, kGpu, kAccelerator };

/// SYCL 2020's aspects (4.6.4.3), by their SYCL names in name_of().
enum class Aspect : uint8_t {
  kCpu,
  kGpu,
  kAccelerator,
  kCustom,
  kEmulated,
  kHostDebuggable,
  kFp16,
  kFp64,
  kAtomic64,
  kImage,
  kOnlineCompiler,
  kOnlineLinker,
  kQueueProfiling,
  kUsmDeviceAllocations,
  kUsmHostAllocations,
  kUsmAtomicHostAllocations,
  kUsmSharedAllocations,
  kUsmAtomicSharedAllocations,
  kUsmSystemAllocations,
};
inline constexpr int kAspectCount = 19;
HITHER_EXPORT std::string_view name_of(Aspect aspect) noexcept;
HITHER_EXPORT std::string_view name_of(Backend backend) noexcept;
/// All back ends, in the order of their rows.
HITHER_EXPORT std::span<const Backend> all_backends() noexcept;
HITHER_EXPORT std::string_view name_of(DeviceType type) noexcept;

/// Value of a device descriptor.
using InfoValue = std::variant<bool, int64_t, std::string, std::vector<int64_t>>;

enum class PartitionKind : uint8_t { kEqually, kByCounts, kByAffinity };

/// How a sub-device was made: it is number `index` of this partition of its parent.
struct DevicePart {
  PartitionKind kind;
  std::vector<int64_t> counts;  ///< compute units of each; all equal for kEqually
  std::string domain;           ///< for kByAffinity
  size_t index;
};

/// A SYCL device. It is a handle: copies share the device, and == compares its identity.
/// Thread-safe.
class HITHER_EXPORT Device {
 public:
  /// The first device that a filter string matches: `backend:device_type:index`, every part
  /// optional, alternatives separated by commas ("gpu", "cuda:gpu:1", "level_zero:gpu,native_cpu").
  /// Error kValue if the string is malformed (with a caret under the fault) or no device matches
  /// (with the list of devices).
  static Device select(std::string_view filter);
  /// The device that HITHER_DEVICE names, else SYCL's default: a GPU before a CPU, native_cpu
  /// before other CPUs.
  static Device select_default();
  /// Every root device; the null device only if HITHER_NULL_DEVICE=1.
  static std::vector<Device> all();

  explicit Device(std::shared_ptr<runtime::DeviceState> state) noexcept
      : state_(std::move(state)) {}

  Backend backend() const;
  DeviceType type() const;
  /// "native_cpu:cpu:0" for a root device. A sub-device appends its number in brackets to its
  /// parent's string.
  const std::string& filter_string() const;
  bool has(Aspect aspect) const;
  /// SYCL's device descriptors by name ("max_compute_units", "vendor", ...); Error kValue lists the
  /// valid names. info_names() returns the descriptors of this device.
  InfoValue info(std::string_view name) const;
  std::vector<std::string> info_names() const;

  bool is_root() const;
  std::optional<Device> parent() const;
  /// Empty for a root device and for a sub-device that another library made.
  std::optional<DevicePart> part() const;
  /// SYCL's three partitions: equally, with `units` compute units each; by counts of compute units;
  /// by affinity domain.
  std::vector<Device> create_sub_devices_equally(int64_t units) const;
  std::vector<Device> create_sub_devices_by_counts(std::span<const int64_t> counts) const;
  std::vector<Device> create_sub_devices_by_affinity(std::string_view domain) const;

  const std::shared_ptr<runtime::DeviceState>& state() const noexcept { return state_; }
  friend bool operator==(const Device& a, const Device& b) noexcept { return a.state_ == b.state_; }

 private:
  std::shared_ptr<runtime::DeviceState> state_;
};

}  // namespace hither

#else  // a kernel in C++, compiled through hither_add_kernels()
#include <hither/device_code.h>
#endif
