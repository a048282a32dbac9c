#include "drivers/cuda/error_report.h"

#include "runtime/kernel_fault.h"

namespace hither::drivers::cuda {
namespace {

constexpr size_t kStride = 64;  // one cache line for each
constexpr size_t kRecords = 64;
static_assert(sizeof(target::ErrorRecord) <= kStride);

}  // namespace

RecordPool::~RecordPool() {
  const Current current(*context_);
  for (void* chunk : chunks_) api().cuMemFreeHost(chunk);
}

target::ErrorRecord* RecordPool::take() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) {
    const Current current(*context_);
    void* chunk = nullptr;
    context_->check(api().cuMemHostAlloc(&chunk, kStride * kRecords, kHostAllocPortable),
                    "cuMemHostAlloc", "Queue.submit");
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

}  // namespace hither::drivers::cuda
