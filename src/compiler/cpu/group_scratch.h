// Memory for the values of large groups, which do not fit on the stack.
#pragma once

#include <cstddef>

namespace hither::compiler {

/// Name by which kernels call group_scratch.
inline constexpr const char* kGroupScratchName = "hither_group_scratch";

/// At least `bytes` of memory of the calling thread, aligned to 64. The next call on this thread
/// overwrites its content. The memory is kept until the thread ends. Ends the process if memory
/// runs out.
void* group_scratch(size_t bytes) noexcept;

}  // namespace hither::compiler
