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

/// Whether hither called the Python code that the calling thread runs, such as a host task.
inline thread_local bool called_by_hither = false;

/// Makes os.fork() wait until no other thread is inside hither, for two seconds at most: a thread
/// may wait for a device, or run an endless kernel. In a host task 0.1 seconds at most: another
/// thread usually waits for the end of the task.
void wait_for_threads_before_fork();

}  // namespace hither::python
