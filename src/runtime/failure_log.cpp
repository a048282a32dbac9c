#include "runtime/failure_log.h"

#include <algorithm>
#include <cstdio>

namespace hither::runtime {

void FailureLog::add(uint64_t number, const Error& error) {
  std::lock_guard lock(mutex_);
  failures_.push_back({number, error, false});
}

std::optional<Error> FailureLog::take_first() {
  std::lock_guard lock(mutex_);
  if (failures_.empty()) return std::nullopt;
  const auto first =
      std::min_element(failures_.begin(), failures_.end(),
                       [](const Failure& a, const Failure& b) { return a.number < b.number; });
  const Error error = first->error;
  std::erase_if(failures_, [&](const Failure& f) { return f.error == error; });
  return error;
}

void FailureLog::note_reported(const Error& error) noexcept {
  std::lock_guard lock(mutex_);
  for (Failure& failure : failures_) failure.reported |= failure.error == error;
}

void FailureLog::report() noexcept {
  std::lock_guard lock(mutex_);
  for (const Failure& failure : failures_) {
    // Other errors may come from tasks that process exit has prevented from running.
    if (failure.reported || failure.error.kind() != ErrorKind::kKernel) continue;
    std::fprintf(stderr, "hither: an error that no wait and no read has raised: %s\n",
                 failure.error.what());
    for (Failure& same : failures_) same.reported |= same.error == failure.error;
  }
}

}  // namespace hither::runtime
