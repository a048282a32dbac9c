// Order between a queue and the streams of other libraries.
#include <utility>

#include "drivers/cuda/queue.h"

namespace hither::drivers::cuda {
namespace {

CUstream native_of(void* stream) noexcept {
  // Libraries that receive no stream use CUDA's legacy default stream.
  constexpr uintptr_t kLegacy = 1;
  return stream ? static_cast<CUstream>(stream)
                : reinterpret_cast<CUstream>(kLegacy);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

Event CudaQueue::submit_native(std::function<void(void* stream)> give,
                               std::span<const Event> depends_on) {
  return submit([give = std::move(give)](CUstream stream) { give(stream); }, depends_on);
}

void CudaQueue::make_native_wait(void* stream, std::span<const Event> events) {
  Lanes::Waits natives;
  for (const Event& event : events) {
    if (event.is_complete()) continue;
    if (const auto* task = CudaTask::of(*event.state()))
      natives.push_back(task->native());
    else
      (void)event.wait_for_error();
  }
  if (natives.empty()) return;
  const Current current(*part_.native);
  for (const auto& native : natives)
    part_.native->check(api().cuStreamWaitEvent(native_of(stream), native->get(), 0),
                        "cuStreamWaitEvent", "stream");
}

Event CudaQueue::record_native_event(void* stream) {
  const Current current(*part_.native);
  // The query is faster than recording an event.
  if (api().cuStreamQuery(native_of(stream)) == kSuccess) return {};
  Marks marks;
  marks.end = std::make_shared<NativeEvent>(part_.native, false);
  marks.end->record(native_of(stream));
  return Event(std::make_shared<CudaTask>(
      runtime::DeviceTask::Options{
          .failures = failures_, .number = UINT64_MAX, .queue = foreign_number_},
      std::move(marks), nullptr));
}

}  // namespace hither::drivers::cuda
