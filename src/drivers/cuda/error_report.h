// Error records, in which kernels report errors.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <hither/kernel.h>

#include "drivers/cuda/native_context.h"
#include "runtime/kernel_state.h"

namespace hither::drivers::cuda {

/// Error records of a context's kernels, in pinned host memory: a kernel accesses it only if there
/// is an error, and the host reads it without a copy. Thread-safe.
class RecordPool {
 public:
  explicit RecordPool(std::shared_ptr<NativeContext> context) : context_(std::move(context)) {}
  ~RecordPool();
  RecordPool(const RecordPool&) = delete;
  RecordPool& operator=(const RecordPool&) = delete;

  /// A record without an error. Error kMemory.
  target::ErrorRecord* take();
  void give(target::ErrorRecord* record) noexcept;

 private:
  const std::shared_ptr<NativeContext> context_;
  std::mutex mutex_;
  std::vector<void*> chunks_;
  std::vector<target::ErrorRecord*> free_;
};

/// The record of one launch. It lives until the launch has ended.
class ErrorReport {
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

}  // namespace hither::drivers::cuda
