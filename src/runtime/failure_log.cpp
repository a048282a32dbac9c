#include "runtime/failure_log.h"

#include <algorithm>
#include <cstdio>

namespace hither::runtime {

void FailureLog::add(uint64_t number, const Error& error) {
  std::lock_guard lock(mutex_);
  failures_.push_back({number, error});
}

std::optional<Error> FailureLog::take_first() {
  std::lock_guard lock(mutex_);
  if (failures_.empty()) return std::nullopt;
  Error first = std::ranges::min_element(failures_, {}, &Failure::number)->error;
  std::erase_if(failures_, [&](const Failure& failure) { return failure.error == first; });
  first.mark_reported();
  return first;
}

void FailureLog::report() noexcept {
  std::lock_guard lock(mutex_);
  for (const Failure& failure : failures_) {
    // Other errors may come from tasks that process exit has prevented from running.
    if (failure.error.kind() != ErrorKind::kKernel || failure.error.mark_reported()) continue;
    std::fprintf(stderr, "hither: an error that no wait and no read has raised: %s\n",
                 failure.error.what());
  }
}

}  // namespace hither::runtime
