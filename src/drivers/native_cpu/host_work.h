// Tasks that may outlive the call that submits them.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "drivers/native_cpu/arena.h"
#include "drivers/native_cpu/task.h"

namespace hither::drivers::native_cpu {

/// Calls `work`; what it throws, as an Error.
std::optional<Error> call_host(const std::function<void()>& work) noexcept;

Work host_work(std::function<void()> work);
/// Keeps the kernel, a copy of its arguments and the arena.
Work kernel_work(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
                 std::shared_ptr<Arena> arena);

}  // namespace hither::drivers::native_cpu
