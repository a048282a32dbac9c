// Kernels and the ranges they run over.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <hither/event.h>
#include <hither/export.h>

namespace hither {

namespace runtime {
struct KernelState;
}

/// Number of work-items in 1 to 3 dimensions; the last dimension is contiguous, as in SYCL.
struct Range {
  int dimensions = 1;
  int64_t size[3] = {1, 1, 1};
  Range() = default;
  Range(int64_t n) : size{n, 1, 1} {}  // NOLINT(google-explicit-constructor)
  Range(int64_t n0, int64_t n1) : dimensions(2), size{n0, n1, 1} {}
  Range(int64_t n0, int64_t n1, int64_t n2) : dimensions(3), size{n0, n1, n2} {}
  int64_t items() const noexcept { return size[0] * size[1] * size[2]; }
};

/// Global range and work-group range; with local 0 hither chooses the work-group size.
struct NdRange {
  Range global;
  int64_t local[3] = {0, 0, 0};
  NdRange(const Range& g) : global(g) {}  // NOLINT(google-explicit-constructor)
  NdRange(const Range& g, const Range& l) : global(g), local{l.size[0], l.size[1], l.size[2]} {}
};

/// A kernel that is loaded into one context. Copies share it. Thread-safe.
class HITHER_EXPORT Kernel {
 public:
  Kernel() noexcept = default;
  explicit Kernel(std::shared_ptr<const runtime::KernelState> state) noexcept
      : state_(std::move(state)) {}
  explicit operator bool() const noexcept { return state_ != nullptr; }
  const std::string& name() const;
  const std::shared_ptr<const runtime::KernelState>& state() const noexcept { return state_; }

 private:
  std::shared_ptr<const runtime::KernelState> state_;
};

}  // namespace hither
