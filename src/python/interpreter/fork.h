// fork() while other threads of Python are inside hither.
#pragma once

#include <atomic>
#include <utility>

namespace hither::python {

/// The number of threads that have released the GIL inside hither. They may hold locks, which a
/// child of fork() would find locked forever, because the threads do not exist there. A thread
/// counts from before it releases the GIL until it has released its locks, before it takes the GIL.
/// It does not count while it runs Python code, which may fork.
extern std::atomic<int> threads_without_gil;

/// Whether the calling thread counts.
inline thread_local bool counts_as_without_gil = false;

/// Makes the calling thread count or not, and returns whether it did before.
inline bool count_as_without_gil(bool counts) noexcept {
  const bool before = std::exchange(counts_as_without_gil, counts);
  if (before != counts) threads_without_gil.fetch_add(counts ? 1 : -1, std::memory_order_acq_rel);
  return before;
}

/// Makes os.fork() wait until no other thread is inside hither, for two seconds at most: a thread
/// may wait for a device, or run an endless kernel.
void wait_for_threads_before_fork();

}  // namespace hither::python
