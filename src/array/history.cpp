#include "array/history.h"

#include <mutex>

namespace hither {

namespace {

constexpr size_t kCapacity = 256;

struct Ring {
  std::mutex mutex;
  std::vector<KernelRecord> records;
  size_t next = 0;
};

Ring& ring() {
  static Ring instance;
  return instance;
}

}  // namespace

namespace array {

void record(KernelRecord record) {
  Ring& r = ring();
  std::lock_guard guard(r.mutex);
  if (r.records.size() < kCapacity) r.records.push_back(std::move(record));
  else r.records[r.next] = std::move(record);
  r.next = (r.next + 1) % kCapacity;
}

}  // namespace array

std::vector<KernelRecord> kernel_history() {
  Ring& r = ring();
  std::lock_guard guard(r.mutex);
  if (r.records.size() < kCapacity) return r.records;
  std::vector<KernelRecord> ordered(r.records.begin() + static_cast<std::ptrdiff_t>(r.next),
                                    r.records.end());
  ordered.insert(ordered.end(), r.records.begin(),
                 r.records.begin() + static_cast<std::ptrdiff_t>(r.next));
  return ordered;
}

void clear_kernel_history() {
  Ring& r = ring();
  std::lock_guard guard(r.mutex);
  r.records.clear();
  r.next = 0;
}

}  // namespace hither
