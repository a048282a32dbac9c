#include "profiling/kernel_history.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>

#include "process/spin_lock.h"
#include "profiling/record.h"

namespace hither {

namespace {

constexpr size_t kCapacity = profiling::kHistoryCapacity;
constexpr size_t kNameCapacity = 104;

// A copy of the texts, because the kernel may be destroyed before the history is read.
struct Launch {
  char name[kNameCapacity];
  char device[32];
  const char* source;
  int64_t items, bytes;
  uint64_t spent;
  double compile_seconds;
};

struct Ring {
  process::SpinLock lock;
  Launch launches[kCapacity];
  size_t total = 0;
};

Ring& ring() {
  static auto* instance =
      new Ring;  // never destroyed: kernels may be launched during static destruction
  return *instance;
}

void put(char* to, size_t capacity, const std::string& text) {
  const size_t n = std::min(text.size(), capacity - 1);
  std::memcpy(to, text.data(), n);
  to[n] = 0;
}

// Compares ticks with the steady clock, both counted from the loading of the library.
struct Calibration {
  uint64_t ticks = profiling::ticks();
  std::chrono::steady_clock::time_point time = std::chrono::steady_clock::now();
  double seconds_per_tick() const {
    const uint64_t passed = profiling::ticks() - ticks;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - time;
    return passed ? seconds.count() / static_cast<double>(passed) : 0;
  }
};
const Calibration calibration;

void append(const profiling::KernelOrigin& kernel, int64_t items, int64_t bytes,
            uint64_t spent) noexcept {
  Ring& r = ring();
  std::lock_guard guard(r.lock);
  Launch& l = r.launches[r.total++ % kCapacity];
  put(l.name, sizeof l.name, kernel.name);
  put(l.device, sizeof l.device, kernel.device);
  l.source = kernel.source;
  l.items = items;
  l.bytes = bytes;
  l.spent = spent;
  l.compile_seconds = kernel.compile_seconds;
}

}  // namespace

void profiling::record_launch(const KernelOrigin& kernel, int64_t items, int64_t bytes,
                              uint64_t spent) noexcept {
  if (profiling::is_on()) profiling::describe_last(kernel.name, kernel.source, items, bytes);
  append(kernel, items, bytes, spent);
}

std::vector<KernelRecord> kernel_history() {
  Ring& r = ring();
  const double rate = calibration.seconds_per_tick();
  std::vector<KernelRecord> records;
  std::lock_guard guard(r.lock);
  for (size_t i = r.total > kCapacity ? r.total - kCapacity : 0; i < r.total; ++i) {
    const Launch& l = r.launches[i % kCapacity];
    records.push_back({l.name, l.device, l.source, l.items, l.bytes,
                       rate * static_cast<double>(l.spent), l.compile_seconds});
  }
  return records;
}

void clear_kernel_history() {
  Ring& r = ring();
  std::lock_guard guard(r.lock);
  r.total = 0;
}

void record_host_call(const std::string& name, const std::string& device, int64_t items,
                      int64_t bytes, double seconds) {
  profiling::add_past(profiling::Kind::kFallback, name, "host", seconds, items, bytes);
  const auto spent = static_cast<uint64_t>(seconds / calibration.seconds_per_tick());
  append({name, device, "host", 0}, items, bytes, spent);
}

}  // namespace hither
