// Checks of arrays on GPUs.
#pragma once

#include <cstdint>
#include <initializer_list>

#include <hither/array.h>

#include "target/kernel_module.h"

namespace hither::array {

/// A question about the elements of an array that a kernel answers while the host goes on. The
/// kernel writes its answer to host memory.
class DeviceCheck {
 public:
  /// Whether this is faster than a reduction whose result is copied to the host.
  static bool suits(const Queue& queue);
  /// Whether all elements of an integer array, which has some, are at least 0 and less than
  /// `extent`.
  static DeviceCheck of_indices(const Array& index, int64_t extent);
  /// Whether each element of a vector of at least two real numbers is less than or equal to the
  /// next one.
  static DeviceCheck of_order(const Array& x);
  /// Waits for the kernel.
  bool holds() const;

 private:
  /// Launches `items` items of a kernel whose parameters are found_, x and the integers.
  DeviceCheck(const Array& x, const std::string& name, target::KernelModule (*emit)(DType),
              int64_t items, std::initializer_list<int64_t> integers);

  Memory found_;  ///< on the host: a byte that is 1 if the answer is no
  Event checked_;
};

}  // namespace hither::array
