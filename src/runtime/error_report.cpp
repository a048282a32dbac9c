#include "runtime/error_report.h"

#include "runtime/kernel_fault.h"

namespace hither::runtime {
namespace {

constexpr size_t kStride = 64;  // one cache line for each
constexpr size_t kRecords = 64;
static_assert(sizeof(target::ErrorRecord) <= kStride);

}  // namespace

target::ErrorRecord* RecordPool::take() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) {
    free_.reserve((chunks_.size() + 1) * kRecords);
    chunks_.push_back(allocate_(kStride * kRecords, kStride));
    char* const chunk = static_cast<char*>(chunks_.back().get());
    for (size_t i = 0; i < kRecords; ++i)
      free_.push_back(reinterpret_cast<target::ErrorRecord*>(chunk + i * kStride));
  }
  target::ErrorRecord* record = free_.back();
  free_.pop_back();
  return new (record) target::ErrorRecord;
}

void RecordPool::give(target::ErrorRecord* record) noexcept {
  std::lock_guard lock(mutex_);
  free_.push_back(record);
}

std::optional<Error> ErrorReport::read() const {
  if (record_->code == 0) return std::nullopt;
  return kernel_error(*kernel_.state(), range_, *record_);
}

}  // namespace hither::runtime
