// Compiled code, which the compiler makes and a driver loads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "target/kernel_fault.h"
#include "target/signature.h"
#include "target/target.h"

namespace hither::target {

/// The first error that a kernel reported. `code` 0 means none. It is written once, by
/// compare-exchange, so the first reporting work-item determines it. The layout is part of the
/// kernel ABI (hither.raise writes it).
struct ErrorRecord {
  int32_t code = 0;  ///< a KernelFault, or an index into CodeImage::messages + kFirstMessage
  int32_t line = 0;  ///< line in the Python (or C++) source, 0 when unknown
  int64_t global_id[3] = {0, 0, 0};
};

/// The part of the iteration space that one call of a CPU entry runs. Begin is inclusive, end
/// exclusive; both count work-items for kernels without barriers and work-groups for kernels with
/// barriers. Dimension 0 is the outermost (slowest), the last one is contiguous, as in SYCL.
struct WorkRange {
  int64_t begin[3];
  int64_t end[3];
  int64_t global_size[3];
  int64_t local_size[3];
};

/// Entry point of a CPU kernel: runs every item of `range`. `arguments` are packed as Signature
/// describes. Reentrant: several threads run disjoint ranges concurrently.
using CpuEntry = void (*)(const void* arguments, const WorkRange* range, ErrorRecord* error);

// The ABI of images for SPIR-V devices:
//
// The kernel has one argument for each parameter of the signature, from index 0. A pointer is a USM
// address; a number is its bytes, 8 and 16 for complex64 and complex128; kLocalBytes is local
// memory of that size. If the image reports errors, the USM address of a zeroed ErrorRecord
// follows.
//
// Dimensions: the device's dimension 0 varies fastest, hither's dimension 0 slowest. With D =
// `dimensions` of the image, hither's dimension d is the device's D - 1 - d for d < D, and d for d
// >= D. Ranges of fewer dimensions than D have size 1 in the others. OpenCL takes sizes in the
// device's order; SYCL's runtime reverses the order of its ranges.
//
// Division and square roots of float32 are correctly rounded: the program is built with
// -cl-fp32-correctly-rounded-divide-sqrt, unless the device always rounds so.

// The ABI of images for CUDA devices, whose bytes are PTX text:
//
// The entry has one argument for each parameter of the signature, from index 0. A pointer is a USM
// address; a number is its bytes, 8 and 16 for complex64 and complex128; kLocalBytes is an int32,
// the offset of the memory in the launch's dynamic shared memory, a multiple of 16. If the image
// reports errors, the USM address of a zeroed ErrorRecord follows. Without `uses_groups` the last
// arguments are the D = `dimensions` sizes of the range, int64 each, in hither's order.
//
// Dimensions: as on SPIR-V devices, with x as the device's dimension 0. Without `uses_groups` the
// driver chooses the block size and rounds the grid up to whole blocks; threads beyond the range
// return at once. A thread runs `strip_items` work-items, whose distance is the block size: of the
// x dimension if D is 1, else of y, so that the threads of a warp access neighbours. With
// `strips_if_many` the driver may start a thread for each item of this dimension instead: a thread
// runs one item if the grid has no fewer threads than the dimension has items. With groups, a
// block is a work-group of the launch. A grid has at most 65535 blocks in y and z.
//
// Sub-groups are warps. Atomics of the scope "system" are the device's.

/// Compiled code: bytes (PTX, cubin, SPIR-V), or an entry point and the owner of its mapping (CPU).
struct CodeImage {
  Target target;
  std::string entry_name;
  Signature signature;
  std::vector<char> bytes;
  CpuEntry entry = nullptr;
  std::shared_ptr<const void> owner;
  int dimensions = 1;        ///< CPU: the highest that the kernel uses, 1 to 3; else as above
  bool uses_groups = false;  ///< needs an NdRange: barriers, local memory or group functions
  int64_t local_size[3] = {0, 0, 0};  ///< of all launches, if the code needs one; else 0
  int64_t local_bytes = 0;            ///< static local memory a group needs
  int64_t strip_items = 1;            ///< vector lanes in the last dimension (CPU), or work-items
                                      ///< of one thread (CUDA, see above)
  bool strips_if_many = false;        ///< CUDA: unless one item in each thread does not fill the
                                      ///< device often enough
  bool reports_errors = false;
  std::string source_file;            ///< of the kernel, for error messages; may be empty
  std::vector<std::string> messages;  ///< texts of kFirstMessage + i
};

}  // namespace hither::target
