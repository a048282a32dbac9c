// Compiled code on its way from the compiler to a driver.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "target/signature.h"
#include "target/target.h"

namespace hither::target {

/// First error that a kernel reported. `code` 0 means none; written once by compare-exchange, so
/// the first reporting item wins. Layout is part of the kernel ABI (hither.raise writes it).
struct ErrorRecord {
  int32_t code = 0;  ///< KernelFault below, or an index into CodeImage::messages + kFirstMessage
  int32_t line = 0;  ///< line in the Python (or C++) source, 0 when unknown
  int64_t global_id[3] = {0, 0, 0};
};

enum KernelFault : int32_t {
  kNoFault = 0,
  kIndexOutOfBounds = 1,
  kZeroDivision = 2,
  kAssertion = 3,
  kOverflow = 4,
  kBarrierDivergence = 5,
  kReturnedItem = 6,
  kFirstMessage = 16,
};

/// The part of the iteration space that one call of a CPU entry runs, begin inclusive, end
/// exclusive, in work-items for kernels without barriers and in work-groups for kernels with them.
/// Dimension 0 is the outermost (slowest), the last one is contiguous, as in SYCL.
struct WorkRange {
  int64_t begin[3];
  int64_t end[3];
  int64_t global_size[3];
  int64_t local_size[3];
};

/// Entry point of a CPU kernel: runs every item of `range`. `arguments` are packed as Signature
/// says. Reentrant; several threads run disjoint ranges at once.
using CpuEntry = void (*)(const void* arguments, const WorkRange* range, ErrorRecord* error);

// What a driver of SPIR-V devices does with an image:
//
// Arguments are those of the signature, one each, from 0 on: a pointer a USM address, a number its
// bytes, complex64 and complex128 8 and 16 bytes, kLocalBytes local memory of so many bytes. When
// the image reports errors one more follows: a USM address of an ErrorRecord of zeros.
//
// Dimensions: the device's dimension 0 is the fastest, ours the slowest. Of the image's D =
// `dimensions`, ours d < D is the device's D - 1 - d, and ours d >= D the device's d; ranges of
// fewer dimensions than D have 1 in the missing ones. OpenCL takes sizes in the device's order;
// SYCL's runtime reverses the order of the range it is given.
//
// Division and square roots of float32 are correctly rounded: the program is built with
// -cl-fp32-correctly-rounded-divide-sqrt, without it where the device does so anyway.

// What a driver of CUDA devices does with an image, whose bytes are PTX text:
//
// Arguments of the entry are those of the signature, one each, from 0 on: a pointer a USM address,
// a number its bytes, complex64 and complex128 8 and 16 bytes, kLocalBytes an int32, where the
// argument's memory begins in the launch's dynamic shared memory, a multiple of 16. When the image
// reports errors a USM address of an ErrorRecord of zeros follows. Last, without `uses_groups`, the
// D = `dimensions` sizes of the range, int64 each, in our order.
//
// Dimensions: as on SPIR-V devices, the device's x being its dimension 0. Without `uses_groups` the
// driver chooses blocks, and rounds the grid up to whole ones: items beyond the range leave at
// once; an item of the device's x takes `strip_items` of ours, a block's size apart. With groups,
// blocks are the launch's. A grid has 65535 blocks at most in y and z.
//
// Sub-groups are warps. Atomics of the scope "system" are the device's.

/// Compiled code: bytes (PTX, cubin, SPIR-V) or an entry point and what keeps it mapped (CPU).
struct CodeImage {
  Target target;
  std::string entry_name;
  Signature signature;
  std::vector<char> bytes;
  CpuEntry entry = nullptr;
  std::shared_ptr<const void> owner;
  int dimensions = 1;        ///< CPU: highest that the kernel asks about, 1 to 3; else as above
  bool uses_groups = false;  ///< needs an NdRange: barriers, local memory or group functions
  int64_t local_size[3] = {0, 0, 0};  ///< of every launch, where the code was made for one; else 0
  int64_t local_bytes = 0;            ///< static local memory a group needs
  int64_t strip_items = 1;            ///< of the last dimension: so many run side by side (CPU),
                                      ///< or in one item of the device (CUDA)
  bool reports_errors = false;
  std::string source_file;            ///< of the kernel, for error messages; may be empty
  std::vector<std::string> messages;  ///< texts of kFirstMessage + i
};

}  // namespace hither::target
