// The most recent kernel launches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <hither/export.h>

namespace hither {

/// One launch of an array expression or a kernel, or one function that NumPy computed on the host.
struct KernelRecord {
  std::string name;    ///< of the kernel, or its operations in order
  std::string device;  ///< filter string
  std::string source;  ///< "memory", "disk", "compiled", or "host" for a function of NumPy
  int64_t items = 0;   ///< work-items; elements of a function of NumPy
  int64_t bytes = 0;   ///< read and written, each buffer once; copied for a function of NumPy
  double seconds = 0;  ///< host time of the submission; on the host and native_cpu the whole time
  double compile_seconds = 0;
};

/// The last launches, oldest first; at most 256. Thread-safe.
HITHER_EXPORT std::vector<KernelRecord> kernel_history();
HITHER_EXPORT void clear_kernel_history();
/// Appends a function of NumPy, which took `seconds`, to the history. Thread-safe.
HITHER_EXPORT void record_host_call(const std::string& name, const std::string& device,
                                    int64_t items, int64_t bytes, double seconds);

}  // namespace hither
