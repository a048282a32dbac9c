#include "process/fault_point.h"

namespace hither::process {

std::array<std::atomic<int64_t>, kFaultCount> faults_to_come{};

int64_t inject_fault(Fault kind, int64_t n) noexcept {
  return faults_to_come[static_cast<size_t>(kind)].exchange(n);
}

bool count_down(Fault kind) noexcept {
  auto& left = faults_to_come[static_cast<size_t>(kind)];
  int64_t before = left.load();
  while (before > 0)
    if (left.compare_exchange_weak(before, before - 1)) return before == 1;
  return false;
}

}  // namespace hither::process
