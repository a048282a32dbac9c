#include "drivers/native_cpu/host_work.h"

#include <exception>
#include <new>
#include <vector>

#include "drivers/native_cpu/kernel.h"

namespace hither::drivers::native_cpu {

std::optional<Error> call_host(const std::function<void()>& work) noexcept {
  constexpr const char* kWhere = "host task";
  try {
    work();
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::kMemory, kWhere, "the host's memory is exhausted");
  } catch (const std::exception& error) {
    return Error(ErrorKind::kDevice, kWhere, error.what());
  } catch (...) {
    return Error(ErrorKind::kDevice, kWhere, "it threw what is no std::exception");
  }
}

Work host_work(std::function<void()> work) {
  return [work = std::move(work)] { return call_host(work); };
}

Work kernel_work(const Kernel& kernel, const NdRange& range, std::span<const std::byte> arguments,
                 std::shared_ptr<Arena> arena) {
  // As aligned as the slots are.
  std::vector<uint64_t> copy((arguments.size() + 7) / 8);
  std::copy(arguments.begin(), arguments.end(), reinterpret_cast<std::byte*>(copy.data()));
  return [kernel, range, arena = std::move(arena), copy = std::move(copy)] {
    return run_kernel(static_cast<const CpuKernel&>(*kernel.state()), range,
                      reinterpret_cast<const std::byte*>(copy.data()), *arena);
  };
}

}  // namespace hither::drivers::native_cpu
