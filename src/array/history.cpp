#include "array/history.h"

#include <mutex>
#include <optional>

namespace hither {

namespace {

constexpr size_t kCapacity = 256;

using array::Launch;

struct Ring {
  std::mutex mutex;
  std::vector<Launch> launches;
  size_t next = 0;
};

Ring& ring() {
  static Ring instance;
  return instance;
}

}  // namespace

namespace array {

void record(Launch launch) {
  Ring& r = ring();
  std::optional<Launch> oldest;  // freed after the lock: a queue may end with it
  std::lock_guard guard(r.mutex);
  if (r.launches.size() < kCapacity) {
    r.launches.push_back(std::move(launch));
  } else {
    std::swap(r.launches[r.next], launch);
    oldest.emplace(std::move(launch));
  }
  r.next = (r.next + 1) % kCapacity;
}

}  // namespace array

std::vector<KernelRecord> kernel_history() {
  Ring& r = ring();
  std::vector<Launch> ordered;
  {
    std::lock_guard guard(r.mutex);
    const size_t first = r.launches.size() < kCapacity ? 0 : r.next;
    for (size_t i = 0; i < r.launches.size(); ++i)
      ordered.push_back(r.launches[(first + i) % r.launches.size()]);
  }
  std::vector<KernelRecord> records;
  for (const Launch& l : ordered)
    records.push_back({*l.name, l.queue.device().filter_string(), l.source, l.items, l.bytes,
                       l.seconds, l.compile_seconds});
  return records;
}

void clear_kernel_history() {
  Ring& r = ring();
  std::vector<Launch> gone;
  std::lock_guard guard(r.mutex);
  gone.swap(r.launches);
  r.next = 0;
}

}  // namespace hither
