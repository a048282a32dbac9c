// Contexts, which own USM allocations and kernels.
#pragma once

#include <memory>
#include <vector>

#include <hither/device.h>

namespace hither {

namespace runtime {
struct ContextState;
}

/// A SYCL context. It is a handle: copies share the context, and == compares identity. Thread-safe.
class HITHER_EXPORT Context {
 public:
  /// A new context for these devices of one platform.
  explicit Context(const std::vector<Device>& devices);
  /// The default context of a device, the same at each call. A sub-device has its own.
  static Context default_for(const Device& device);
  explicit Context(std::shared_ptr<runtime::ContextState> state) noexcept
      : state_(std::move(state)) {}

  const std::vector<Device>& devices() const;
  const std::shared_ptr<runtime::ContextState>& state() const noexcept { return state_; }
  friend bool operator==(const Context& a, const Context& b) noexcept {
    return a.state_ == b.state_;
  }

 private:
  std::shared_ptr<runtime::ContextState> state_;
};

}  // namespace hither
