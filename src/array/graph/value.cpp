#include "array/graph/value.h"

#include <mutex>
#include <utility>

#include <hither/eager.h>

#include "process/before_blocking.h"
#include "process/environment.h"

namespace hither::array {

namespace {

enum class Eagerness : int8_t { kAsEnvironment, kLazy, kEager };
thread_local Eagerness eagerness = Eagerness::kAsEnvironment;

// Values that this thread has to destroy; non-null while it destroys one.
thread_local std::vector<const Value*>* dying = nullptr;

}  // namespace

void Value::destroy(const Value* value) noexcept {
  if (!value->is_pending()) {  // it has no inputs, so destruction does not recurse
    delete value;
    return;
  }
  if (dying) {
    dying->push_back(value);
    return;
  }
  std::vector<const Value*> pending;
  dying = &pending;
  delete value;
  while (!pending.empty()) {
    const Value* next = pending.back();
    pending.pop_back();
    delete next;
  }
  dying = nullptr;
}

int64_t Recipe::operand_size(const Value& value, int) const noexcept { return value.layout->size; }

Storage::Storage(ValueRef value) noexcept
    : usm_type(value->usm_type), value_(value.get()), owner_(std::move(value)) {
  std::atomic<uint32_t>& names = owner_->names;
  // If the value is new, no other thread can access it, so no atomic addition is needed.
  if (owner_->reference_count() == 1)
    names.store(1, std::memory_order_relaxed);
  else
    names.fetch_add(1, std::memory_order_relaxed);
}

void Storage::rename(ValueRef value) noexcept {
  const uint32_t names = is_hidden_ ? 0 : 1;
  value->names.fetch_add(names, std::memory_order_relaxed);
  value_.store(value.get(), std::memory_order_release);
  std::swap(owner_, value);
  value->names.fetch_sub(names, std::memory_order_relaxed);
}

void Storage::move_to(ValueRef copy) noexcept {
  const uint32_t names = is_hidden_ ? 0 : 1;
  copy->names.fetch_add(names, std::memory_order_relaxed);
  value_.store(copy.get(), std::memory_order_release);
  old_ = std::exchange(owner_, std::move(copy));
  old_->names.fetch_sub(names, std::memory_order_relaxed);
}

void Storage::hide(bool is_hidden) noexcept {
  is_hidden_ = is_hidden;
  if (is_hidden)
    owner_->names.fetch_sub(1, std::memory_order_relaxed);
  else
    owner_->names.fetch_add(1, std::memory_order_relaxed);
}

void Storage::destroy(const Storage* storage) noexcept {
  const Value& value = *storage->owner_;
  // If there is no other reference, the count of names is not read again.
  if (value.reference_count() > 1) storage->owner_->names.fetch_sub(1, std::memory_order_relaxed);
  delete storage;
}

struct GraphLock {
  std::recursive_mutex mutex;
  int depth = 0;  ///< guards of the thread that holds the lock
  uint64_t visits = 0;
};

namespace {

GraphLock& graph_of(const Queue& queue) noexcept {
  static GraphLock locks[61];
  return locks[(reinterpret_cast<uintptr_t>(queue.state().get()) >> 6) % 61];
}

}  // namespace

GraphGuard::GraphGuard(const Queue& queue) noexcept : lock_(graph_of(queue)) {
  if (!lock_.mutex.try_lock()) {
    process::before_blocking();
    lock_.mutex.lock();
  }
  ++lock_.depth;
}
GraphGuard::~GraphGuard() {
  --lock_.depth;
  lock_.mutex.unlock();
}
bool GraphGuard::is_nested() const noexcept { return lock_.depth > 1; }

uint64_t next_visit(const Queue& queue) noexcept { return ++graph_of(queue).visits; }

ValueRef memory_value(const Memory& memory, int64_t offset_bytes, LayoutRef layout, DType dtype) {
  ValueRef value(new Value(std::move(layout), dtype));
  value->usm_type = memory.usm_type();
  value->memory = memory;
  value->offset_bytes = offset_bytes;
  value->pinned_bytes = static_cast<int64_t>(memory.bytes());
  value->state.store(ValueState::kReady, std::memory_order_release);
  return value;
}

Array make_array(ValueRef value) {
  const Value& v = *value;
  return Array(Reference<Storage>(new Storage(std::move(value))), v.layout, v.dtype);
}

void require_ready(const Value& value) {
  if (value.state.load(std::memory_order_acquire) == ValueState::kFailed) throw *value.error;
}

void fill_input_of(Input& input, const Array& x) {
  input.value = x.storage()->value();
  input.dtype = x.dtype();
  const Layout& whole = *input.value->layout;
  const Layout& seen = *x.layout();
  const bool same =
      &seen == &whole || (seen.contiguous && seen.offset == 0 && seen.shape == whole.shape);
  if (!same || x.dtype() != input.value->dtype) input.layout = x.layout();
}

Input input_of(const Array& x) {
  Input input;
  fill_input_of(input, x);
  return input;
}

bool eager() noexcept {
  if (eagerness != Eagerness::kAsEnvironment) return eagerness == Eagerness::kEager;
  static const bool on = process::environment(process::variable::kEager) == "1";
  return on;
}

}  // namespace hither::array

namespace hither {

std::optional<bool> set_eager(std::optional<bool> on) noexcept {
  using array::eagerness;
  using array::Eagerness;
  const Eagerness before = eagerness;
  eagerness = !on ? Eagerness::kAsEnvironment : *on ? Eagerness::kEager : Eagerness::kLazy;
  if (before == Eagerness::kAsEnvironment) return std::nullopt;
  return before == Eagerness::kEager;
}

}  // namespace hither
