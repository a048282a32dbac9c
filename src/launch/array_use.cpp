#include "launch/array_use.h"

#include <mutex>

#include "array/flush.h"
#include "runtime/event_state.h"

namespace hither::launch {
namespace {

bool succeeded(const Event& event) noexcept {
  return !event.state() || (event.is_complete() && event.state()->error() == nullptr);
}

}  // namespace

ArrayUses::ArrayUses(std::span<const Event> depends_on, size_t count) {
  uses_.reserve(count);
  for (const Event& event : depends_on) depend_on(event);
}

void ArrayUses::depend_on(const Event& event) {
  if (!succeeded(event)) dependencies_.push_back(event);
}

void ArrayUses::own(const Array& x) {
  array::Storage& storage = *x.storage();
  array::ValueRef value = storage.value();
  if (value->is_pending()) array::submit(*value);
  array::require_ready(*value);
  constexpr uint32_t kOurs = 2;  // the storage's and this function's
  if (storage.escaped.load(std::memory_order_acquire) || value->reference_count() <= kOurs) return;
  std::lock_guard guard(array::graph_lock(value->queue));
  const size_t bytes = value->memory.bytes();
  const Memory fresh(value->queue, bytes, value->usm_type);
  const Event depends[] = {value->written};
  const Event copied = value->queue.copy(fresh.data(), value->memory.data(), bytes, depends);
  array::note_read(*value, copied);
  array::ValueRef own =
      array::memory_value(fresh, value->offset_bytes, value->layout, value->dtype);
  own->written = copied;
  storage.rename(std::move(own));
}

void* ArrayUses::begin(const Array& x, bool written) {
  array::Storage& storage = *x.storage();
  array::ValueRef value = storage.value();
  if (value->is_pending()) array::submit(*value);
  array::require_ready(*value);
  depend_on(value->written);
  if (written && !value->reads.empty()) {
    std::lock_guard guard(array::graph_lock(value->queue));
    for (const Event& read : value->reads)
      if (!read.is_complete()) dependencies_.push_back(read);
  }
  void* data = static_cast<char*>(value->memory.data()) + value->offset_bytes +
               x.layout()->offset * x.itemsize();
  uses_.push_back({std::move(value), written, storage.escaped.load(std::memory_order_acquire)});
  return data;
}

void ArrayUses::end(const Event& event) {
  const bool over = succeeded(event);
  for (const Use& use : uses_) {
    if (over && !use.value->written.state()) continue;
    std::lock_guard guard(array::graph_lock(use.value->queue));
    if (!use.written) {
      if (!over) array::note_read(*use.value, event);
      continue;
    }
    use.value->written = over ? Event() : event;
    if (over) continue;
    use.value->reads.clear();  // the kernel ran after them
    use.value->memory.release_after(event);
  }
  for (const Use& use : uses_)
    if (use.escaped) array::settle(*use.value);
}

}  // namespace hither::launch
