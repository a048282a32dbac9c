// The most recent kernel launches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <hither/export.h>

namespace hither {

/// One launch of an array expression or a kernel.
struct KernelRecord {
  std::string name;    ///< of the kernel, or its operations in order
  std::string device;  ///< filter string
  std::string source;  ///< "memory", "disk" or "compiled"
  int64_t items = 0;   ///< work-items
  int64_t bytes = 0;   ///< read and written, each buffer once
  double seconds = 0;  ///< host time of the submission; on native_cpu the kernel's own time
  double compile_seconds = 0;
};

/// The last launches, oldest first; at most 256. Thread-safe.
HITHER_EXPORT std::vector<KernelRecord> kernel_history();
HITHER_EXPORT void clear_kernel_history();

}  // namespace hither
