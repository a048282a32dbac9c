// Tasks that may outlive the call that submits them.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "drivers/native_cpu/arena.h"
#include "drivers/native_cpu/task.h"

namespace hither::drivers::native_cpu {

/// Calls `work` and returns its exception as an Error.
std::optional<Error> call_host(const std::function<void()>& work) noexcept;

Work host_work(std::function<void()> work);
/// The Work that runs a kernel. It owns the kernel, a copy of the arguments and the arena.
Work kernel_work(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
                 std::shared_ptr<Arena> arena);

}  // namespace hither::drivers::native_cpu
