// Shows what kernels print, where Python code may run.
#pragma once

#include <atomic>

#include "process/printing_launches.h"

namespace hither::python {

/// Number of threads in show_printed().
extern std::atomic<int> showing_threads;

/// Writes what kernels that have ended printed to sys.stdout. Needs the GIL. With `after_others`,
/// waits for other threads that do so, because they may write lines of this thread's kernels.
void show_printed(bool after_others) noexcept;

/// `has_waited`: the thread may have waited for a kernel.
inline void show_printed_if_any(bool has_waited) noexcept {
  if (process::printing_launches.load(std::memory_order_relaxed) > 0 ||
      (has_waited && showing_threads.load(std::memory_order_relaxed) > 0)) [[unlikely]]
    show_printed(has_waited);
}

}  // namespace hither::python
