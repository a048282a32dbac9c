#include "runtime/error_report.h"

#include <string>

namespace hither::runtime {
namespace {

constexpr size_t kStride = 64;  // one cache line for each
constexpr size_t kRecords = 64;
static_assert(sizeof(target::ErrorRecord) <= kStride);

std::string fault_text(int32_t code, const target::CodeImage& image) {
  switch (code) {
    case target::kIndexOutOfBounds:
      return "index out of bounds";
    case target::kZeroDivision:
      return "division by zero";
    case target::kAssertion:
      return "assertion failed";
    case target::kOverflow:
      return "overflow";
    case target::kBarrierDivergence:
      return "a barrier was not reached by all work-items of its group";
    case target::kReturnedItem:
      return "a broadcast from a work-item that has returned";
    default:
      break;
  }
  const auto message = static_cast<size_t>(code) - target::kFirstMessage;
  if (code >= target::kFirstMessage && message < image.messages.size())
    return image.messages[message];
  return "error " + std::to_string(code);
}

}  // namespace

Error kernel_error(const KernelState& kernel, const NdRange& range,
                   const target::ErrorRecord& record) {
  std::string text = fault_text(record.code, *kernel.image) + " in kernel " + kernel.name;
  if (!kernel.image->source_file.empty()) {
    text += " at " + kernel.image->source_file;
    if (record.line > 0) text += ":" + std::to_string(record.line);
  } else if (record.line > 0) {
    text += " at line " + std::to_string(record.line);
  }
  text += ", work-item (";
  for (int d = 0; d < range.global.dimensions; ++d)
    text.append(d ? ", " : "").append(std::to_string(record.global_id[d]));
  return Error(ErrorKind::kKernel, "kernel " + kernel.name, text + ")", record.code);
}

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
