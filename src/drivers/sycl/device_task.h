// A task that SYCL's runtime has.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <sycl/sycl.hpp>

#include "drivers/sycl/error_report.h"
#include "runtime/driver.h"

namespace hither::drivers::sycl {

/// The submit, start and end times of a command that ended.
runtime::ProfilingTimes times_of(const ::sycl::event& event) noexcept;

/// Ends without help of the host. How it ended is looked up by whoever asks first; its queue asks
/// if nobody else does, where it could have failed.
class DeviceTask final : public runtime::EventState,
                         public std::enable_shared_from_this<DeviceTask> {
 public:
  struct Options {
    ::sycl::event event;
    std::shared_ptr<runtime::FailureLog> failures;
    uint64_t number = 0;            ///< of the submission, in its queue
    uint64_t queue = 0;             ///< number of that queue in the process
    const void* context = nullptr;  ///< stands for it
    bool in_order = false;          ///< that queue is
    bool profiling = false;
    bool shared = false;                  ///< other libraries submit to the queue too
    std::unique_ptr<ErrorReport> report;  ///< of a kernel that reports errors
    std::vector<Event> depends_on;        ///< those that may fail
  };
  explicit DeviceTask(Options options)
      : options_(std::move(options)), may_fail_(options_.report || !options_.depends_on.empty()) {}
  ~DeviceTask() override;

  const ::sycl::event& native() const noexcept { return options_.event; }
  uint64_t queue() const noexcept { return options_.queue; }
  const void* context() const noexcept { return options_.context; }
  /// Whether the task can end with an error that only its end will show.
  bool may_fail() const noexcept { return may_fail_; }

  EventStatus status() const noexcept override;
  void wait() noexcept override;
  const Error* error() const noexcept override;
  std::optional<runtime::ProfilingTimes> times() const noexcept override;
  void on_end(std::function<void()> then) override;
  bool follows(const runtime::EventState& earlier) const noexcept override;
  uint64_t order() const noexcept override { return options_.in_order ? options_.queue : 0; }

 private:
  /// Waits and looks up how it ended.
  void finish() const noexcept;

  mutable Options options_;
  const bool may_fail_;
  mutable std::atomic<bool> finished_{false};
  mutable std::mutex mutex_;  ///< of finish()
  mutable std::optional<Error> error_;
};

}  // namespace hither::drivers::sycl
