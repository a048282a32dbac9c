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

enum class Backend : uint8_t { kNativeCpu, kCuda, kLevelZero, kOpenCl, kNull };
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
HITHER_EXPORT std::string_view name_of(DeviceType type) noexcept;

/// Value of a device descriptor.
using InfoValue = std::variant<bool, int64_t, std::string, std::vector<int64_t>>;

enum class PartitionKind : uint8_t { kEqually, kByCounts, kByAffinity };

/// How a sub-device was made: the `index`-th of its parent's when partitioned so.
struct DevicePart {
  PartitionKind kind;
  std::vector<int64_t> counts;  ///< compute units of each; of kEqually all the same
  std::string domain;           ///< of kByAffinity
  size_t index;
};

/// A SYCL device: a handle, copies share it; == is identity of the device. Thread-safe.
class HITHER_EXPORT Device {
 public:
  /// The first device that a filter string matches: `backend:device_type:index`, every part
  /// optional, alternatives separated by commas ("gpu", "cuda:gpu:1", "level_zero:gpu,native_cpu").
  /// Error kValue with a caret under the fault when malformed, or a list of what there is when none
  /// matches.
  static Device select(std::string_view filter);
  /// HITHER_DEVICE if set, else SYCL's choice: a GPU before a CPU, native_cpu before other CPUs.
  static Device select_default();
  /// Every root device, `null` only when HITHER_NULL_DEVICE=1 asks for it.
  static std::vector<Device> all();

  explicit Device(std::shared_ptr<runtime::DeviceState> state) noexcept
      : state_(std::move(state)) {}

  Backend backend() const;
  DeviceType type() const;
  /// "native_cpu:cpu:0" for a root device; a sub-device has its parent's with its place in
  /// brackets.
  const std::string& filter_string() const;
  bool has(Aspect aspect) const;
  /// SYCL's device descriptors by name ("max_compute_units", "vendor", ...); Error kValue names the
  /// ones there are. info_names() lists what this device answers.
  InfoValue info(std::string_view name) const;
  std::vector<std::string> info_names() const;

  bool is_root() const;
  std::optional<Device> parent() const;
  /// Empty for a root device, and for a sub-device that another library made.
  std::optional<DevicePart> part() const;
  /// Equally (units each), by counts (units of each), by NUMA affinity.
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
