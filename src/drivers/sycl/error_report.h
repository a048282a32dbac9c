// Error records, in which kernels report errors.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <hither/kernel.h>
#include <sycl/sycl.hpp>

#include "runtime/kernel_state.h"

namespace hither::drivers::sycl {

/// Error records of a context's kernels, in shared USM. Thread-safe.
class RecordPool {
 public:
  RecordPool(::sycl::context context, ::sycl::device device)
      : context_(std::move(context)), device_(std::move(device)) {}
  ~RecordPool();
  RecordPool(const RecordPool&) = delete;
  RecordPool& operator=(const RecordPool&) = delete;

  /// A record without an error. Error kMemory.
  target::ErrorRecord* take();
  void give(target::ErrorRecord* record) noexcept;

 private:
  const ::sycl::context context_;
  const ::sycl::device device_;
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

}  // namespace hither::drivers::sycl
