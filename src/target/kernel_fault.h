// The faults of kernels that have numbers.
#pragma once

#include <cstdint>

namespace hither::target {

/// Codes in an ErrorRecord, and of the errors that are made of it. hither.errors has a class of
/// Python for most of them.
enum KernelFault : int32_t {
  kNoFault = 0,
  kIndexOutOfBounds = 1,
  kZeroDivision = 2,
  kAssertion = 3,
  kOverflow = 4,
  kBarrierDivergence = 5,
  kReturnedItem = 6,
  kInterrupted = 7,  ///< by Ctrl-C; no kernel writes it
  kFirstMessage = 16,
};

}  // namespace hither::target
