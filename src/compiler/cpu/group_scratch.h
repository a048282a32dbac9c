// Memory for the values of large groups, where the stack would not do.
#pragma once

#include <cstddef>

namespace hither::compiler {

/// Name by which kernels call group_scratch.
inline constexpr const char* kGroupScratchName = "hither_group_scratch";

/// At least `bytes`, aligned to 64, of the calling thread; whatever was in it is lost at the next
/// call on this thread. Kept until the thread ends. Ends the process when there is no memory left.
void* group_scratch(size_t bytes) noexcept;

}  // namespace hither::compiler
