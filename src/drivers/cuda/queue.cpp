#include "drivers/cuda/queue.h"

#include <cstring>

#include "drivers/cuda/kernel.h"
#include "drivers/cuda/transfer.h"
#include "runtime/recycled.h"

namespace hither::drivers::cuda {
namespace {

/// Up to this many bytes of pageable memory CUDA copies before it returns, without waiting for the
/// stream.
constexpr size_t kReadAtOnce = size_t{64} << 10;

}  // namespace

CudaQueue::CudaQueue(ContextPart part, QueueProperties properties,
                     std::shared_ptr<runtime::FailureLog> failures)
    : DeviceQueue(properties, std::move(failures), typeid(CudaTask)),
      part_(std::move(part)),
      lanes_(std::make_shared<Lanes>(part_.native, part_.clock, properties.in_order,
                                     properties.enable_profiling)) {
  if (properties.in_order) progress_ = std::make_shared<Progress>();
}

Event CudaQueue::submit(Command command, std::span<const Event> depends_on, bool after_all) {
  const auto kept = [&] { return std::move(command); };
  return submit(command, kept, depends_on, nullptr, after_all);
}

template <class Kept>
Event CudaQueue::submit(const Command& command, const Kept& kept, std::span<const Event> depends_on,
                        std::unique_ptr<runtime::ErrorReport> report, bool after_all) {
  const auto at_once = [&](Tasks after, runtime::DeviceTask::Options&& options) {
    const auto ends = after_all && !properties_.in_order ? lanes_->ends() : Lanes::Waits();
    return std::allocate_shared<CudaTask>(runtime::RecyclingAllocator<CudaTask>(),
                                          std::move(options), lanes_->submit(command, after, ends),
                                          progress_);
  };
  const auto deferred = [&]() -> Deferred {
    return [lanes = lanes_, command = Command(kept()), after_all](runtime::ProfilingTimes& times) {
      const Marks marks = lanes->submit(command, {}, after_all ? lanes->ends() : Lanes::Waits());
      const CUresult result = marks.end->wait();
      lanes->context().check(result, "cuEventSynchronize", "device task");
      if (const auto native = marks.times()) times = *native;
    };
  };
  return DeviceQueue::submit(at_once, deferred, depends_on, std::move(report), after_all);
}

Event CudaQueue::launch(const Kernel& kernel, const NdRange& range,
                        std::span<const std::byte> arguments, std::span<const Event> depends_on) {
  std::unique_ptr<runtime::ErrorReport> report;
  if (kernel.state()->image->reports_errors)
    report = std::make_unique<runtime::ErrorReport>(part_.records, kernel, range);
  void* const record = report ? report->address() : nullptr;
  const auto launch_in = [index = part_.index](const Kernel& of, CUstream stream,
                                               const NdRange& over,
                                               std::span<const std::byte> packed, void* reported) {
    const auto& cuda_kernel = static_cast<const CudaKernel&>(*of.state());
    cuda_kernel.functions[index]->launch(stream, *cuda_kernel.image, over, packed, reported);
  };
  const auto now = [&](CUstream stream) { launch_in(kernel, stream, range, arguments, record); };
  const auto kept = [&]() -> Command {
    std::vector<std::byte> copied(arguments.begin(), arguments.end());
    return [kernel, range, record, launch_in, copied = std::move(copied)](CUstream stream) {
      launch_in(kernel, stream, range, copied, record);
    };
  };
  return submit(std::cref(now), kept, depends_on, std::move(report), false);
}

Event CudaQueue::copy(void* to, const void* from, size_t bytes, std::span<const Event> depends_on) {
  bool to_pageable = false, from_pageable = false;
  {
    const Current current(*part_.native);
    to_pageable = is_pageable(to);
    from_pageable = is_pageable(from);
  }
  if (to_pageable || from_pageable)
    return copy_pageable(to, from, bytes, to_pageable, from_pageable, depends_on);
  return submit(
      [=, native = part_.native](CUstream stream) { copy_in(stream, *native, to, from, bytes); },
      depends_on);
}

bool CudaQueue::reaches(const runtime::DriverDevice& device) const {
  const auto* gpu = dynamic_cast<const CudaDevice*>(&device);
  return gpu && cuda::reaches(part_.native->device(), gpu->native());
}

Event CudaQueue::copy_pageable(void* to, const void* from, size_t bytes, bool to_pageable,
                               bool from_pageable, std::span<const Event> depends_on) {
  const auto staging = part_.staging;
  if (to_pageable && from_pageable)
    return submit_work([=] { std::memmove(to, from, bytes); }, depends_on, "Queue.copy");
  if (to_pageable)
    return submit_work([=] { staging->download(to, from, bytes); }, depends_on, "Queue.copy");
  if (bytes > kReadAtOnce)
    return submit_work([=] { staging->upload(to, from, bytes); }, depends_on, "Queue.copy");
  // Among CUDA's commands only downloads write pageable memory, and they are host tasks. So without
  // unfinished host tasks `from` already has its final contents.
  return submit(
      [=, native = part_.native](CUstream stream) { copy_in(stream, *native, to, from, bytes); },
      depends_on);
}

Event CudaQueue::fill(void* to, const void* pattern, size_t pattern_bytes, size_t count,
                      std::span<const Event> depends_on) {
  const Pattern copied(pattern, pattern_bytes);
  return submit(
      [=, native = part_.native](CUstream stream) { fill_in(stream, *native, to, copied, count); },
      depends_on);
}

Event CudaQueue::prefetch(const void* address, size_t bytes, std::span<const Event> depends_on) {
  if (!part_.device->moves_shared()) return submit_barrier(depends_on);
  bool is_managed = false;
  {
    const Current current(*part_.native);
    is_managed = is_managed_memory(address);
  }
  if (!is_managed) return submit_barrier(depends_on);  // a prefetch affects shared USM only
  return submit(
      [=, native = part_.native](CUstream stream) {
        native->check(api().cuMemPrefetchAsync(reinterpret_cast<uintptr_t>(address), bytes,
                                               native->device(), stream),
                      "cuMemPrefetchAsync", "Queue.prefetch");
      },
      depends_on);
}

Event CudaQueue::submit_barrier(std::span<const Event> depends_on) {
  return submit([](CUstream) {}, depends_on, true);
}

void CudaQueue::wait_for_device(uint64_t submitted) {
  if (const CUresult result = lanes_->wait(); result != kSuccess)
    failures_->add(UINT64_MAX, part_.native->failure(result, "cuStreamSynchronize", "Queue.wait"));
  else if (progress_ && submitted > 0)
    progress_->note_ended(submitted - 1);
}

}  // namespace hither::drivers::cuda
