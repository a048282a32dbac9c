#include "runtime/failure_log.h"

#include <algorithm>

namespace hither::runtime {

void FailureLog::add(uint64_t number, const Error& error) {
  std::lock_guard lock(mutex_);
  failures_.push_back({number, error});
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

}  // namespace hither::runtime
