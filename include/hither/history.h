// What ran last.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <hither/export.h>

namespace hither {

/// One launch: of an array expression, or of a kernel.
struct KernelRecord {
  std::string name;    ///< the kernel's, or its operations from the first to the last
  std::string device;  ///< filter string
  std::string source;  ///< "memory", "disk" or "compiled"
  int64_t items = 0;   ///< work-items
  int64_t bytes = 0;   ///< read and written, each buffer once
  double seconds = 0;  ///< host time of the submission; on native_cpu the kernel's own time
  double compile_seconds = 0;
};

/// The last kernels, oldest first: at most 256 of them. Thread-safe.
HITHER_EXPORT std::vector<KernelRecord> kernel_history();
HITHER_EXPORT void clear_kernel_history();

}  // namespace hither
