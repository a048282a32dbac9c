// The input of the compiler from all front ends: LLVM IR and a signature.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "target/signature.h"

namespace hither::target {

/// Metadata of the phi node that counts the lanes of a vector in a loop over them.
constexpr const char* kLaneLoop = "hither.lanes";

/// LLVM IR of one kernel. The entry is `void entry(parameters...)` as Signature lists them,
/// pointers in address space 1. It may call only:
///   i64 @hither.global_id(i32 dim), @hither.global_size, @hither.local_id, @hither.local_size,
///       @hither.group_id, @hither.num_groups (dim 0 is the outermost)
///   void @hither.barrier(i32 fence)  convergent; fence bits: 1 local, 2 global
///   void @hither.raise(i32 code, i32 line)  records the error and returns (see ErrorRecord)
///   ptr addrspace(1) @hither.print_buffer()  the entry's last parameter, also in other functions:
///       memory that the launch provides, in which the kernel writes what it prints
///   LLVM's math intrinsics, libm names (`sin`, `atan2f`, ...), and functions of the device library
///       (`hither_...`), which are linked in on demand.
/// Any call may carry `!hither.line !{i32 LINE}` or `!{i32 LINE, !"FILE"}`, the place in the user's
/// source that errors name; calls that replace it by inlining inherit it. A barrier or group
/// function in divergent control flow is refused. In kernels with groups a work-item that raises
/// ends, and its group stops. Sub-group and group functions, all convergent (S is "group" or
/// "sub_group"; T a type by its name in device_library.h, i8 to u64, f16, f32, f64; OP in add mul
/// min max and or xor):
///   i32 @hither.sub_group_size(), @hither.sub_group_local_id(), @hither.sub_group_id(),
///       @hither.num_sub_groups()
///   void @hither.sub_group_barrier(i32 fence)
///   T @hither.S_reduce.OP.T(T), @hither.S_inclusive_scan.OP.T(T), @hither.S_exclusive_scan.OP.T(T)
///       (in the order of linear local ids)
///   T @hither.S_broadcast.T(T, i32 from)  the value of the item with linear local id `from`
///   i8 @hither.S_any_of(i8), @hither.S_all_of(i8)
///   T @hither.sub_group_shuffle.T(T, i32 from), @hither.sub_group_shuffle_xor.T(T, i32 mask),
///       @hither.sub_group_shuffle_up.T(T, i32 by), @hither.sub_group_shuffle_down.T(T, i32 by)
///   i32 @hither.sub_group_match.u32(i32 x, i32 bits)  bit i: whether item i has the same x, for
///       sub-groups of at most 32 items; x is below 2^bits, a constant
/// Atomics are atomicrmw/cmpxchg and atomic loads and stores, memory fences `fence`, with the
/// syncscopes "" (system), "device", "workgroup", "subgroup". Local memory is internal globals in
/// address space 3 or a parameter kLocalBytes, constants address space 4, private arrays allocas.
struct KernelModule {
  std::string entry;
  /// LLVM assembly or bitcode, each parsed on its own and linked with the entry's module first.
  std::vector<std::string> code;
  Signature signature;
  /// No work-item accesses memory that another one writes: accesses may be marked parallel. Set for
  /// array kernels and parfors. Ignored if the module has atomics or error reports.
  bool independent_items = false;
  bool debug = false;  ///< bounds checks are in the code; error lines are kept
  /// CPU, and CUDA's groups of one dimension: the local size of all launches, 1 in unused
  /// dimensions; 0 if it is not known, or if the kernel has no groups.
  int64_t local_size[3] = {0, 0, 0};
  /// CUDA, for a known local size: registers are limited so that at least as many groups run on a
  /// multiprocessor at a time; 0: one.
  int resident_groups = 0;
  /// Other devices: the launch rank to compile for, whose last dimension becomes the device's
  /// dimension 0; 0: the rank that the kernel uses.
  int dimensions = 0;
  std::string source_file;
  std::vector<std::string> messages;
};

}  // namespace hither::target
