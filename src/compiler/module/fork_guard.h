// Work on data that nobody vouches for, in code that ends the process when the data is damaged.
#pragma once

#include <functional>

namespace hither::compiler {

/// Runs `work` in a copy of the process, which ends with it. False if the copy was ended before
/// `work` returned or threw: by a signal, or because it took longer than ten seconds. Blocks
/// meanwhile. Throws Error kMemory if there is no room for a copy.
bool survives(const std::function<void()>& work);

}  // namespace hither::compiler
