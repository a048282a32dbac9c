// A task that has been submitted to SYCL.
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

/// The profiling times of a completed command.
runtime::ProfilingTimes times_of(const ::sycl::event& event) noexcept;

/// It ends without help of the host. The first query after its end determines its error. If the
/// task may fail and no one queries it, its queue does.
class DeviceTask final : public runtime::EventState,
                         public std::enable_shared_from_this<DeviceTask> {
 public:
  struct Options {
    ::sycl::event event;
    std::shared_ptr<runtime::FailureLog> failures;
    uint64_t number = 0;            ///< of the submission, in its queue
    uint64_t queue = 0;             ///< number of that queue in the process
    const void* context = nullptr;  ///< identifies the context
    bool in_order = false;          ///< of the queue
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
  /// Whether the task may fail with an error that is known only at its end.
  bool may_fail() const noexcept { return may_fail_; }

  EventStatus status() const noexcept override;
  void wait() noexcept override;
  const Error* error() const noexcept override;
  std::optional<runtime::ProfilingTimes> times() const noexcept override;
  void on_end(std::function<void()> then) override;
  bool follows(const runtime::EventState& earlier) const noexcept override;
  uint64_t order() const noexcept override { return options_.in_order ? options_.queue : 0; }

 private:
  /// Waits for the end and determines the error.
  void finish() const noexcept;

  mutable Options options_;
  const bool may_fail_;
  mutable std::atomic<bool> finished_{false};
  mutable std::mutex mutex_;  ///< of finish()
  mutable std::optional<Error> error_;
};

}  // namespace hither::drivers::sycl
