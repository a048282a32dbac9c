// Kernels in the form of LLVM IR, and their launch over arrays.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <hither/array.h>
#include <hither/event.h>
#include <hither/kernel.h>
#include <hither/queue.h>

namespace hither {

/// The type of a kernel parameter. Arguments are passed by value; an array is passed as the address
/// of its first element.
enum class KernelParameter : uint8_t {
  kPointer,  ///< `ptr addrspace(1)`
  kInt8,
  kInt16,
  kInt32,
  kInt64,  ///< also for unsigned integers and bool (i8)
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,  ///< `{float, float}`, `{double, double}`
  kLocalBytes,  ///< local memory, `ptr addrspace(3)`: the argument is its size in bytes
};

/// A kernel module: LLVM IR (assembly or bitcode that LLVM 19 reads) whose function `entry` takes
/// `parameters` and returns void. It may call `i64 @hither.global_id(i32 dimension)` and
/// `@hither.global_size` (dimension 0 is the outermost), LLVM's math intrinsics and the functions
/// of libm; atomics are atomicrmw and cmpxchg. Kernels with groups may call `void
/// @hither.barrier(i32 fence)` (1 local, 2 global memory), `i64 @hither.local_id(i32)`,
/// `@hither.group_id`; their local memory is internal globals in address space 3.
struct KernelSource {
  std::string entry;
  std::string code;
  std::vector<KernelParameter> parameters;
  /// No work-item accesses memory that another one writes. Then the compiler may vectorise across
  /// work-items.
  bool independent_items = false;
  /// For a kernel with barriers or local memory: the local size of all its launches, 1 in unused
  /// dimensions.
  int64_t local_size[3] = {0, 0, 0};
};

/// Compiles for the queue's device and loads into its context; equal sources are compiled once in a
/// process and cached on disk. Blocking, thread-safe. Error kCompile describes the fault in the IR.
HITHER_EXPORT Kernel build_kernel(const Queue& queue, const KernelSource& source);

struct LaunchOptions {
  const Queue* queue = nullptr;  ///< null: the queue of the arrays
  std::span<const Event> depends_on = {};
  uint64_t only_read = 0;  ///< bit i: the kernel does not write argument i, an array
};

/// Runs `kernel` over `range`, after all pending work on its arrays; does not wait. Array arguments
/// count as written unless options.only_read says otherwise. Errors, with nothing submitted: kValue
/// for a wrong number of arguments or read-only arrays, kType for arguments that do not fit their
/// parameter, kPlacement.
HITHER_EXPORT Event parallel_for(const Kernel& kernel, const NdRange& range,
                                 std::span<const Operand> arguments,
                                 const LaunchOptions& options = {});
inline Event parallel_for(const Kernel& kernel, const NdRange& range,
                          std::initializer_list<Operand> arguments,
                          const LaunchOptions& options = {}) {
  return parallel_for(kernel, range, std::span(arguments.begin(), arguments.size()), options);
}

}  // namespace hither
