#include "array/kernel_call.h"

#include <cstring>

#include "array/flush.h"
#include "profiling/kernel_history.h"
#include "profiling/ranges.h"
#include "runtime/launch_check.h"

namespace hither::array {

void KernelCall::number(const Input& number) {
  uint64_t slots[2] = {};
  const int size = size_of(number.dtype);
  std::memcpy(slots, number.number, static_cast<size_t>(size));
  if (number.symbol != 0)
    numbers_.push_back({static_cast<uint16_t>(slots_.size()), number.symbol, number.dtype});
  slots_.append(slots, slots + (size + 7) / 8);
}

void KernelCall::reads(const Memory& memory, const Event& written) {
  pointer(memory.data());
  after(written);
  held_.push_back(memory);
}

void KernelCall::producers(const KernelForm& form, const Binding& binding) {
  for (int i = 0; i < form.leaf_count; ++i) {
    const Source& leaf = binding.leaves[i];
    reads(*leaf.value);
    if (leaf.layout) shift(leaf.layout->offset * size_of(form.leaves[i].dtype));
  }
  for (int i = 0; i < form.number_count; ++i) number(*binding.numbers[i]);
}

Event KernelCall::submit(const Queue& queue, const ReadyKernel& kernel, const NdRange& range,
                         int64_t bytes, int64_t elements) {
  wait_first(queue, std::span(depends_.data(), depends_.size()));
  const profiling::KernelNaming naming(kernel.name);
  const uint64_t start = profiling::ticks();
  Event event = runtime::submit_unchecked(queue, kernel.kernel, range,
                                          std::as_bytes(std::span(slots_.data(), slots_.size())),
                                          std::span(depends_.data(), depends_.size()));
  const uint64_t spent = profiling::ticks() - start;
  if (WorkRecorder* const recorder = WorkRecorder::of_this_thread())
    recorder->launched(queue, kernel, range, slots_, addresses_, numbers_, bytes, elements,
                       walked_);
  for (Value* v : read_) note_read(*v, event);
  if (event.state()) {
    for (const Memory& m : written_) m.release_after(event);
    for (const Memory& m : held_) m.release_after(event);
  }
  profiling::record_launch({kernel.name, kernel.device, kernel.source, kernel.compile_seconds},
                           elements < 0 ? range.global.items() : elements, bytes, spent);
  return event;
}

}  // namespace hither::array
