// Runs code that may abort on malformed input in a forked child process.
#pragma once

#include <functional>

namespace hither::compiler {

/// Runs `work` in a forked child, which then exits. Returns false if the child ended before `work`
/// returned or threw, by a signal or because it took longer than ten seconds. Blocks meanwhile.
/// Throws Error kMemory if the process cannot be forked.
bool survives(const std::function<void()>& work);

}  // namespace hither::compiler
