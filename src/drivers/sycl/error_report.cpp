#include "drivers/sycl/error_report.h"

#include "runtime/kernel_fault.h"

namespace hither::drivers::sycl {
namespace {

constexpr size_t kStride = 64;  // one cache line for each
constexpr size_t kRecords = 64;
static_assert(sizeof(target::ErrorRecord) <= kStride);

}  // namespace

RecordPool::~RecordPool() {
  for (void* chunk : chunks_) ::sycl::free(chunk, context_);
}

target::ErrorRecord* RecordPool::take() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) {
    void* chunk = ::sycl::aligned_alloc_shared(kStride, kStride * kRecords, device_, context_);
    if (!chunk)
      throw Error(ErrorKind::kMemory, "Queue.submit",
                  "no shared USM is left for the error record of a kernel");
    chunks_.push_back(chunk);
    for (size_t i = 0; i < kRecords; ++i)
      free_.push_back(
          reinterpret_cast<target::ErrorRecord*>(static_cast<char*>(chunk) + i * kStride));
  }
  target::ErrorRecord* record = free_.back();
  free_.pop_back();
  return new (record) target::ErrorRecord;
}

void RecordPool::give(target::ErrorRecord* record) noexcept {
  std::lock_guard lock(mutex_);
  free_.push_back(record);  // does not allocate: the capacity suffices
}

std::optional<Error> ErrorReport::read() const {
  if (record_->code == 0) return std::nullopt;
  return runtime::kernel_error(*kernel_.state(), range_, *record_);
}

}  // namespace hither::drivers::sycl
