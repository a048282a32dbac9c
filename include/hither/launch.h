// Kernels given as LLVM IR, and their launch over arrays.
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

/// Type of a kernel's parameter. Arguments are passed by value, arrays as the address of their
/// first element.
enum class KernelParameter : uint8_t {
  kPointer,  ///< `ptr addrspace(1)`
  kInt8,
  kInt16,
  kInt32,
  kInt64,  ///< unsigned and bool (i8) too
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,  ///< `{float, float}`, `{double, double}`
  kLocalBytes,  ///< local memory, `ptr addrspace(3)`: the argument is its size in bytes
};

/// A kernel module: LLVM IR (assembly or bitcode that LLVM 19 reads) whose function `entry` takes
/// `parameters` and returns void. It finds its place by `i64 @hither.global_id(i32 dimension)` and
/// `@hither.global_size`, dimension 0 being the outermost; math by LLVM's intrinsics or libm's
/// names; atomics by atomicrmw and cmpxchg. Groups: `void @hither.barrier(i32 fence)` (1 local, 2
/// global memory), `i64 @hither.local_id(i32)`, `@hither.group_id`, local memory as internal
/// globals in address space 3.
struct KernelSource {
  std::string entry;
  std::string code;
  std::vector<KernelParameter> parameters;
  /// Work-items never touch memory that another one writes: lets the compiler vectorise across
  /// them.
  bool independent_items = false;
  /// Of a kernel with barriers or local memory: the one local size that it is launched with, 1 in
  /// dimensions that are not used.
  int64_t local_size[3] = {0, 0, 0};
};

/// Compiles for the queue's device and loads into its context; equal sources are compiled once a
/// process and kept on disk. Blocking, thread-safe. Error kCompile says in words what is wrong with
/// the IR.
HITHER_EXPORT Kernel build_kernel(const Queue& queue, const KernelSource& source);

struct LaunchOptions {
  const Queue* queue = nullptr;  ///< run there; else the queue of the arrays (design: placement)
  std::span<const Event> depends_on = {};
  uint64_t only_read = 0;  ///< bit i: the kernel does not write argument i, an array
};

/// Runs `kernel` over `range`, after everything that is pending for its arrays; does not wait.
/// Array arguments count as written unless options.only_read says otherwise. Errors, with nothing
/// submitted: kValue for a wrong number of arguments or read-only arrays, kType for arguments that
/// are not what the parameter takes, kPlacement.
HITHER_EXPORT Event parallel_for(const Kernel& kernel, const NdRange& range,
                                 std::span<const Operand> arguments,
                                 const LaunchOptions& options = {});
inline Event parallel_for(const Kernel& kernel, const NdRange& range,
                          std::initializer_list<Operand> arguments,
                          const LaunchOptions& options = {}) {
  return parallel_for(kernel, range, std::span(arguments.begin(), arguments.size()), options);
}

}  // namespace hither
