#include "drivers/native_cpu/host_work.h"

#include <vector>

#include "drivers/native_cpu/kernel.h"
#include "error/current_error.h"

namespace hither::drivers::native_cpu {

std::optional<Error> call_host(const std::function<void()>& work) noexcept {
  try {
    work();
    return std::nullopt;
  } catch (...) {
    return error::current_error("host task");
  }
}

Work host_work(std::function<void()> work) {
  return [work = std::move(work)] { return call_host(work); };
}

Work kernel_work(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
                 std::shared_ptr<Arena> arena) {
  // Aligned like the slots.
  std::vector<uint64_t> copy((arguments.size() + 7) / 8);
  std::copy(arguments.begin(), arguments.end(), reinterpret_cast<std::byte*>(copy.data()));
  return [kernel, range, arena = std::move(arena), copy = std::move(copy)] {
    return run_kernel(static_cast<const CpuKernel&>(*kernel.state()), range,
                      reinterpret_cast<const std::byte*>(copy.data()), *arena);
  };
}

}  // namespace hither::drivers::native_cpu
