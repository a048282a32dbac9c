// Error records, in which the kernels of a device report errors.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <hither/kernel.h>

#include "runtime/kernel_state.h"

namespace hither::runtime {

/// The error of a launch over `range` whose kernel wrote `record`: Error kKernel, which names the
/// source line and the work-item.
HITHER_EXPORT Error kernel_error(const KernelState& kernel, const NdRange& range,
                                 const target::ErrorRecord& record);

/// The error records of a context's kernels, in memory that the device and the host access.
/// Unfinished launches share the pool. Thread-safe.
class HITHER_EXPORT RecordPool {
 public:
  /// Allocates memory, which the pointer's deleter frees. Throws Error kMemory.
  using Allocate = std::function<std::shared_ptr<void>(size_t bytes, size_t alignment)>;
  explicit RecordPool(Allocate allocate) : allocate_(std::move(allocate)) {}
  RecordPool(const RecordPool&) = delete;
  RecordPool& operator=(const RecordPool&) = delete;

  /// A record without an error. Error kMemory.
  target::ErrorRecord* take();
  void give(target::ErrorRecord* record) noexcept;

 private:
  const Allocate allocate_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<void>> chunks_;
  std::vector<target::ErrorRecord*> free_;  ///< has the capacity for all records
};

/// The record of one launch. It lives until the launch has ended.
class HITHER_EXPORT ErrorReport {
 public:
  ErrorReport(std::shared_ptr<RecordPool> pool, Kernel kernel, const NdRange& range)
      : pool_(std::move(pool)), kernel_(std::move(kernel)), range_(range), record_(pool_->take()) {}
  ~ErrorReport() { pool_->give(record_); }
  ErrorReport(const ErrorReport&) = delete;
  ErrorReport& operator=(const ErrorReport&) = delete;

  void* address() const noexcept { return record_; }
  /// The error of a completed launch, if any.
  std::optional<Error> read() const;

 private:
  const std::shared_ptr<RecordPool> pool_;
  const Kernel kernel_;
  const NdRange range_;
  target::ErrorRecord* const record_;
};

}  // namespace hither::runtime
