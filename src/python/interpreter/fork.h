// fork() while other threads of Python are inside hither.
#pragma once

#include <atomic>

namespace hither::python {

/// The number of threads that have released the GIL inside hither. They may hold locks, which a
/// child of fork() would find locked forever, because the threads do not exist there. A thread
/// counts from before it releases the GIL until it has released its locks, before it takes the GIL.
extern std::atomic<int> threads_without_gil;

/// Makes os.fork() wait until no other thread is inside hither, for two seconds at most: a thread
/// may wait for a device, or run an endless kernel.
void wait_for_threads_before_fork();

}  // namespace hither::python
