// Shows what kernels print, where Python code may run.
#pragma once

#include "process/printing_launches.h"

namespace hither::python {

/// Writes what kernels that have ended printed to sys.stdout. Needs the GIL.
void show_printed() noexcept;

inline void show_printed_if_any() noexcept {
  if (process::printing_launches.load(std::memory_order_relaxed) > 0) [[unlikely]]
    show_printed();
}

}  // namespace hither::python
