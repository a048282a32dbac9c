// A task that has been submitted to CUDA.
#pragma once

#include <memory>
#include <optional>
#include <typeinfo>

#include "drivers/cuda/clock.h"
#include "drivers/cuda/progress.h"
#include "runtime/device_task.h"

namespace hither::drivers::cuda {

/// The events that a task records in its stream.
struct Marks {
  std::shared_ptr<NativeEvent> end;
  std::shared_ptr<NativeEvent> start;    ///< when its queue profiles, or a profile is running
  std::shared_ptr<const Anchor> anchor;  ///< likewise
  uint64_t submitted = 0;                ///< likewise
  bool of_profiling_queue = false;

  /// The times of a completed task.
  std::optional<runtime::ProfilingTimes> times() const noexcept;
};

/// The first query after its end determines its error.
class CudaTask final : public runtime::DeviceTask {
 public:
  /// `progress` is the one of the queue, when it is in order.
  CudaTask(Options&& options, Marks&& marks, std::shared_ptr<Progress> progress)
      : DeviceTask(std::move(options)), marks_(std::move(marks)), progress_(std::move(progress)) {}

  /// The state as a CudaTask, or null.
  static const CudaTask* of(const runtime::EventState& state) noexcept {
    return typeid(state) == typeid(CudaTask) ? static_cast<const CudaTask*>(&state) : nullptr;
  }

  const std::shared_ptr<NativeEvent>& native() const noexcept { return marks_.end; }

  EventStatus status() const noexcept override;
  std::optional<runtime::ProfilingTimes> times() const noexcept override {
    return marks_.of_profiling_queue ? marks_.times() : std::nullopt;
  }
  std::optional<runtime::ProfilingTimes> profiled_times() const noexcept override {
    return marks_.times();
  }

 private:
  bool has_ended() const noexcept override;
  void wait_for_end() const override;
  std::optional<Error> native_error() const override;

  const Marks marks_;
  const std::shared_ptr<Progress> progress_;
  mutable CUresult result_ = kSuccess;  ///< of wait_for_end()
};

}  // namespace hither::drivers::cuda
