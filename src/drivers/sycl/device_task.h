// A task that has been submitted to SYCL.
#pragma once

#include <optional>

#include <sycl/sycl.hpp>

#include "drivers/sycl/observed_command.h"
#include "runtime/device_task.h"

namespace hither::drivers::sycl {

/// The profiling times of a completed command.
runtime::ProfilingTimes times_of(const ::sycl::event& event) noexcept;

/// The first query after its end determines its error.
class SyclTask final : public runtime::DeviceTask {
 public:
  struct Native {
    ::sycl::event event;
    bool profiling = false;
    bool shared = false;  ///< other libraries submit to the queue too
    std::shared_ptr<const ObservedCommand> observed = nullptr;  ///< while a profile runs
  };
  SyclTask(Options&& options, Native native)
      : DeviceTask(std::move(options)), native_(std::move(native)) {}
  ~SyclTask() override;

  const ::sycl::event& native() const noexcept { return native_.event; }

  EventStatus status() const noexcept override;
  std::optional<runtime::ProfilingTimes> times() const noexcept override;
  std::optional<runtime::ProfilingTimes> profiled_times() const noexcept override {
    return native_.observed ? std::optional(native_.observed->times()) : std::nullopt;
  }

 private:
  void finish() const noexcept override;
  void wait_for_end() const override;

  mutable Native native_;
};

}  // namespace hither::drivers::sycl
