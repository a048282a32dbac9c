// Ranges of the calling thread in the profilers of others: NVIDIA's (NVTX) and Intel's (ITT).
#pragma once

#include <atomic>
#include <optional>
#include <string_view>
#include <vector>

#include <hither/export.h>

namespace hither::profiling {

/// Whether a profile is running, or HITHER_RANGES is "1": tasks, compilations and waits are ranges.
HITHER_EXPORT extern std::atomic<bool> observed;
inline bool is_observed() noexcept { return observed.load(std::memory_order_relaxed); }

/// Called where a profile begins and ends.
void observe(bool profile_is_running) noexcept;

/// The interfaces that this build has: "NVTX", "ITT".
HITHER_EXPORT std::vector<const char*> range_interfaces();

/// A range, which lasts as long as the object. It costs one relaxed load unless is_observed(), and
/// little more where no profiler is attached.
class HITHER_EXPORT Range {
 public:
  /// The range is called `what` and `name` together.
  Range(std::string_view what, std::string_view name) noexcept {
    if (is_observed()) [[unlikely]]
      begin(what, name);
  }
  ~Range() {
    if (nvtx_ || itt_) end();
  }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

 private:
  void begin(std::string_view what, std::string_view name) noexcept;
  void end() noexcept;

  bool nvtx_ = false, itt_ = false;
};

/// While it exists, the kernels that the calling thread submits have this name, the one that
/// profiles show.
class HITHER_EXPORT KernelNaming {
 public:
  explicit KernelNaming(std::string_view name) noexcept {
    if (is_observed()) [[unlikely]]
      outer_ = exchange(name);
  }
  ~KernelNaming() {
    if (outer_) exchange(*outer_);
  }
  KernelNaming(const KernelNaming&) = delete;
  KernelNaming& operator=(const KernelNaming&) = delete;

  /// The name that holds now, or `otherwise`.
  static std::string_view now(std::string_view otherwise) noexcept;

 private:
  static std::string_view exchange(std::string_view name) noexcept;

  std::optional<std::string_view> outer_;
};

}  // namespace hither::profiling
