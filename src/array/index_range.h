// Checks of index arrays on GPUs.
#pragma once

#include <cstdint>

#include <hither/array.h>

namespace hither::array {

/// Whether the elements of an integer array are indices of an axis. A kernel reads them while the
/// host goes on, and writes its answer to host memory.
class IndexRange {
 public:
  /// Whether this is faster than a reduction whose result is copied to the host.
  static bool suits(const Queue& queue);
  /// Submits the kernel. `index` has elements.
  IndexRange(const Array& index, int64_t extent);
  /// Waits for the kernel. Whether all elements are at least 0 and less than `extent`.
  bool holds() const;

 private:
  Memory found_;  ///< on the host: a byte that is 1 if an element is outside
  Event checked_;
};

}  // namespace hither::array
