#include "process/exit_gate.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include <pthread.h>

namespace hither::process {
namespace {

constexpr int64_t kClosed = int64_t{1} << 32;
constexpr std::chrono::seconds kLongestWait(30);

std::atomic<int64_t> inside{0};  ///< number of threads, plus kClosed
thread_local int depth = 0;      ///< nesting of calls in this thread

void come_in() noexcept {
  if (inside.fetch_add(1, std::memory_order_seq_cst) < kClosed) return;
  inside.fetch_sub(1, std::memory_order_seq_cst);
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// A child of fork() has no other threads.
const int at_fork = pthread_atfork(nullptr, nullptr, [] { inside.store(depth > 0 ? 1 : 0); });

void go_out() noexcept { inside.fetch_sub(1, std::memory_order_seq_cst); }

}  // namespace

InsideLibrary::InsideLibrary() noexcept {
  if (depth == 0) come_in();
  ++depth;
}

InsideLibrary::~InsideLibrary() {
  if (--depth == 0) go_out();
}

bool InsideLibrary::is_closed() noexcept { return inside.load() >= kClosed; }

void InsideLibrary::close() noexcept {
  using Clock = std::chrono::steady_clock;
  const bool counts = depth++ == 0;  // stays incremented, so that the caller may enter
  if (is_closed()) return;
  if (counts) come_in();
  inside.fetch_or(kClosed, std::memory_order_seq_cst);
  const auto end = Clock::now() + kLongestWait;
  while (inside.load(std::memory_order_seq_cst) > kClosed + 1 && Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace hither::process
