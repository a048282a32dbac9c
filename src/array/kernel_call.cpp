#include "array/kernel_call.h"

#include <cstring>

#include "array/flush.h"
#include "array/history.h"

namespace hither::array {

char* address_of(const Value& value) {
  return static_cast<char*>(value.memory.data()) + value.offset_bytes;
}

void KernelCall::number(const Number& n) {
  uint64_t slots[2] = {};
  const int bytes = size_of(n.dtype);
  std::memcpy(slots, n.bytes, static_cast<size_t>(bytes));
  slots_.append(slots, slots + (bytes + 7) / 8);
}

void KernelCall::after(const Event& event) {
  if (event.state()) depends_.push_back(event);
}

void KernelCall::reads(Value& value) {
  pointer(address_of(value));
  after(value.written);
  read_.push_back(&value);
}

void KernelCall::reads(const Memory& memory, const Event& written) {
  pointer(memory.data());
  after(written);
  held_.push_back(memory);
}

void KernelCall::producers(const Cluster& cluster) {
  for (int i = 0; i < cluster.leaf_count; ++i) {
    const Leaf& leaf = cluster.leaves[i];
    reads(*leaf.value);
    slots_.back() +=
        static_cast<uint64_t>((leaf.layout ? leaf.layout->offset : 0) * size_of(leaf.dtype));
  }
  for (int i = 0; i < cluster.number_count; ++i) number(cluster.numbers[i]);
}

Event KernelCall::submit(const Queue& queue, const ReadyKernel& kernel, const NdRange& range,
                         int64_t bytes) {
  wait_first(queue, std::span(depends_.data(), depends_.size()));
  const uint64_t start = ticks();
  Event event =
      queue.submit(kernel.kernel, range, std::as_bytes(std::span(slots_.data(), slots_.size())),
                   std::span(depends_.data(), depends_.size()));
  const uint64_t spent = ticks() - start;
  for (Value* v : read_) note_read(*v, event);
  if (event.state()) {
    for (const Memory& m : written_) m.release_after(event);
    for (const Memory& m : held_) m.release_after(event);
  }
  record(kernel, range.global.items(), bytes, spent);
  return event;
}

}  // namespace hither::array
