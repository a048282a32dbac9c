#include "launch/array_use.h"

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

ArrayUses::~ArrayUses() {
  for (const array::ValueRef& value : owned_)
    value->writers.fetch_sub(1, std::memory_order_release);
}

void ArrayUses::own(const Array& x) {
  array::Storage& storage = *x.storage();
  const Queue queue = storage.present().queue;  // may differ from x's queue, see to_queue()
  array::with_graph_lock(queue, [&] {
    array::ValueRef value = storage.value();
    if (value->is_pending()) array::submit_locked(*value);
    array::require_ready(*value);
    // A concurrent launch that did the same also refers to the value.
    constexpr uint32_t kExpectedReferences = 2;  // the storage's, and that of `value`
    if (!storage.escaped.load(std::memory_order_acquire) &&
        value->writers.load(std::memory_order_acquire) == 0 &&
        value->reference_count() > kExpectedReferences) {
      storage.rename(array::detached_copy(*value, queue));
      value = storage.value();
    }
    owned_.push_back(std::move(value));
    owned_.back()->writers.fetch_add(1, std::memory_order_relaxed);
  });
}

void* ArrayUses::begin(const Array& x, bool written) {
  array::Storage& storage = *x.storage();
  array::ValueRef value = storage.value();
  if (value->is_pending()) array::submit(*value);
  array::require_ready(*value);
  const bool escaped = storage.escaped.load(std::memory_order_acquire);
  if (escaped) array::synchronise_with_foreign_work(*value);
  const Event last_write = value->written;
  depend_on(last_write);
  if (written) array::append_reads(*value, dependencies_);
  void* data = static_cast<char*>(value->memory.data()) + value->offset_bytes +
               x.layout()->offset * x.itemsize();
  uses_.push_back({std::move(value), written, escaped, last_write});
  return data;
}

// The kernel runs after the last write and the reads that were known when the launch began. Another
// thread may have launched a write since then. In that case later accesses wait for both writes.
void ArrayUses::end_write(const Use& use, const Event& event) {
  array::Value& value = *use.value;
  array::with_graph_lock(value.queue, [&] {
    const Event other = value.written;
    Event last = event;
    if (other.state() != use.last_write.state() && !succeeded(other)) {
      const Event both[] = {other, event};
      last = event.state() ? value.queue.submit_barrier(both) : other;
    }
    array::note_write(value, last, dependencies_);
  });
}

void ArrayUses::end(const Event& event) {
  const bool over = succeeded(event);
  for (const Use& use : uses_) {
    if (over && !use.value->written.event().state()) continue;
    if (use.written)
      end_write(use, over ? Event() : event);
    else if (!over)
      array::note_read(*use.value, event);
  }
  for (const Use& use : uses_)
    if (use.escaped) array::settle(*use.value);
}

}  // namespace hither::launch
