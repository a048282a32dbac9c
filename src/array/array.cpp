// The class Array: attributes, evaluation, access to memory.
#include <hither/array.h>
#include <hither/manipulate.h>

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "array/flush.h"
#include "array/graph/value.h"
#include "array/record/work_recorder.h"
#include "counting/counter.h"
#include "runtime/device_facts.h"
#include "runtime/interruptible_wait.h"
#include "runtime/memory_state.h"

namespace hither {

using namespace array;

namespace {

ValueRef submitted(const Array& x) {
  ValueRef value = x.storage()->value();
  if (value->is_pending()) submit(*value);
  return value;
}

// Like submitted(), without a new reference: the caller keeps the storage alive.
Value& submitted_here(const Array& x) {
  Value& value = x.storage()->present();
  if (value.is_pending()) submit(value);
  return value;
}

// Makes the storage's memory safe to access from outside the library. Pending work must not read it
// later, so values that pending work still reads keep the old memory and the storage gets a copy.
ValueRef escape(const Array& x) {
  Recorder::refuse("memory of an array is shared with other libraries");
  ValueRef value = submitted(x);
  require_ready(*value);
  Storage& storage = *x.storage();
  if (storage.escaped.load(std::memory_order_acquire)) return value;
  with_graph_lock(value->queue, [&] {
    if (storage.escaped.load(std::memory_order_acquire)) {
      value = storage.value();
      return;
    }
    if (value->reference_count() > 2) {  // one reference is the storage's, one is `value`
      value = detached_copy(*value, x.queue());
      storage.move_to(value);
    }
    storage.escaped.store(true, std::memory_order_release);
  });
  return value;
}

// Synchronises with other libraries that may access the memory. Returns the event to wait for
// before the memory is read.
Event last_write(const Array& x, Value& value) {
  if (x.storage()->escaped.load(std::memory_order_acquire)) synchronise_with_foreign_work(value);
  return value.written;
}

int64_t byte_offset(const Value& v, const Array& x) {
  return v.offset_bytes + x.layout()->offset * x.itemsize();
}

}  // namespace

Array::Array() noexcept = default;
Array::Array(const Array&) noexcept = default;
Array::Array(Array&&) noexcept = default;
Array& Array::operator=(const Array&) noexcept = default;
Array& Array::operator=(Array&&) noexcept = default;
Array::~Array() = default;

Array::Array(Reference<Storage> storage, Reference<const Layout> layout, DType dtype) noexcept
    : storage_(std::move(storage)), layout_(std::move(layout)), dtype_(dtype) {}

const Dims& Array::shape() const noexcept { return layout_->shape; }
const Dims& Array::strides() const noexcept { return layout_->strides; }
const Queue& Array::queue() const noexcept { return layout_->queue; }
int64_t Array::size() const noexcept { return layout_->size; }
UsmType Array::usm_type() const noexcept { return storage_->usm_type; }
bool Array::is_c_contiguous() const noexcept { return layout_->contiguous; }
bool Array::is_read_only() const noexcept { return storage_->read_only || layout_->read_only; }

Event Array::evaluate() const {
  const Value& value = submitted_here(*this);
  return value.state.load(std::memory_order_acquire) == ValueState::kReady ? value.written.event()
                                                                           : Event();
}

void evaluate(std::span<const Array> arrays) {
  std::vector<ValueRef> values;
  values.reserve(arrays.size());
  for (const Array& x : arrays) values.push_back(x.storage()->value());
  submit(values);
}

bool Array::is_evaluated() const noexcept { return !storage_->present().is_pending(); }

void Array::synchronize() const {
  const Value& value = submitted_here(*this);
  require_ready(value);
  runtime::wait_interruptibly(value.written.event());
}

void* Array::data() const {
  const ValueRef value = escape(*this);
  return static_cast<char*>(value->memory.data()) + byte_offset(*value, *this);
}

const Memory& Array::memory() const { return escape(*this)->memory; }

int64_t Array::offset_bytes() const { return byte_offset(*escape(*this), *this); }

namespace {
void require_host_access(const Array& x, bool is_possible) {
  if (!is_possible)
    throw Error(ErrorKind::kBuffer, "array",
                "host code cannot touch device USM on " + x.device().filter_string() +
                    "; copy it with hither.asnumpy(x), or allocate with usm_type=\"shared\"");
}
}  // namespace

std::shared_ptr<void> Array::borrowed_host_data(bool own) const {
  refuse_reading("array");
  const ValueRef value = submitted(*this);
  require_ready(*value);
  require_host_access(*this, value->memory.host_accessible() ||
                                 (own && runtime::facts_of(device()).device_usm_is_host_memory));
  runtime::wait_interruptibly(last_write(*this, *value));
  // Writes meanwhile go to a copy, because the value has another reference.
  auto held = std::make_shared<ValueRef>(value);
  return {std::move(held), static_cast<char*>(value->memory.data()) + byte_offset(*value, *this)};
}

void* Array::host_data() const {
  refuse_reading("array");
  const ValueRef value = escape(*this);
  require_host_access(*this, value->memory.host_accessible());
  runtime::wait_interruptibly(last_write(*this, *value));
  std::vector<Event> reads;
  append_reads(*value, reads);
  for (const Event& e : reads) (void)e.wait_for_error();
  return static_cast<char*>(value->memory.data()) + byte_offset(*value, *this);
}

namespace {

// Copies to the host and waits. Small copies go through host USM, which the device writes without
// the help of a host thread.
void download(const Queue& queue, void* out, Value& value, const void* from, size_t bytes,
              const Event& after) {
  constexpr size_t kLittle = size_t{64} << 10;
  const std::span depends(&after, 1);
  if (bytes > kLittle || !queue.device().has(Aspect::kUsmHostAllocations) ||
      runtime::shares_memory_with_host(queue)) {
    // Nothing can end the wait for the copy to `out`, which on an in-order queue follows all tasks.
    if (queue.device().type() != DeviceType::kCpu)
      runtime::wait_interruptibly(queue.properties().in_order ? queue.submit_barrier(depends)
                                                              : after);
    return queue.copy(out, from, bytes, depends).wait();
  }
  if (after.is_complete())
    after.wait();  // so that an error which is already known is not logged again
  counting::count(counting::Counter::kBytesToHost, static_cast<int64_t>(bytes));
  const Memory here(queue, bytes, UsmType::kHost);
  const Event copied = queue.copy(here.data(), from, bytes, depends);
  try {
    runtime::wait_interruptibly(copied);
  } catch (...) {
    here.release_after(copied);
    note_read(value, copied);
    throw;
  }
  std::memcpy(out, here.data(), bytes);
}

}  // namespace

namespace {

// Whether x is a constant that no kernel has stored yet; if so, it is written to `out`.
bool pending_number(const Array& x, void* out) {
  const Value& value = x.storage()->present();
  if (value.kind != ValueKind::kConstant || !value.is_pending() || value.dtype != x.dtype())
    return false;
  const GraphGuard guard(value.queue);
  if (!value.is_pending()) return false;
  std::memcpy(out, value.inputs[0].number, static_cast<size_t>(x.itemsize()));
  return true;
}

}  // namespace

void Array::item(void* out) const {
  if (size() != 1)
    throw Error(ErrorKind::kValue, "item",
                "only an array of size 1 converts to a scalar; this one has " +
                    std::to_string(size()) + " elements");
  refuse_reading("item");
  if (!pending_number(*this, out)) array::read_element(*this, 0, out);
}

void array::read_element(const Array& x, int64_t offset, void* out) {
  const ValueRef value = submitted(x);
  require_ready(*value);
  const Event last = last_write(x, *value);
  const size_t bytes = size_of(x.dtype());
  const char* from = static_cast<const char*>(value->memory.data()) + byte_offset(*value, x) +
                     offset * static_cast<int64_t>(bytes);
  if (!value->memory.host_accessible()) return download(x.queue(), out, *value, from, bytes, last);
  runtime::wait_interruptibly(last);
  std::memcpy(out, from, bytes);
}

namespace {

/// The memory that a copy of a whole array reads.
struct Source {
  Array dense;
  ValueRef value;
  const char* from;
};

Source source_of(const Array& x) {
  Array dense = x.is_c_contiguous() ? x : copy(x);
  ValueRef value = submitted(dense);
  require_ready(*value);
  const char* const from =
      static_cast<const char*>(value->memory.data()) + byte_offset(*value, dense);
  return {std::move(dense), std::move(value), from};
}

size_t bytes_of(const Array& x) { return static_cast<size_t>(x.size() * x.itemsize()); }

bool overlap(const void* a, const void* b, size_t bytes) {
  const auto x = reinterpret_cast<uintptr_t>(a), y = reinterpret_cast<uintptr_t>(b);
  return x < y + bytes && y < x + bytes;
}

}  // namespace

void to_host(const Array& x, void* out) {
  refuse_reading("asnumpy");
  if (x.size() == 0) return;
  const Source source = source_of(x);
  if (overlap(source.from, out, bytes_of(x)))
    return runtime::wait_interruptibly(copy_to_host(x, out));
  download(x.queue(), out, *source.value, source.from, bytes_of(x),
           last_write(source.dense, *source.value));
}

Event copy_to_host(const Array& x, void* out) {
  refuse_reading("asnumpy");
  if (x.size() == 0) return {};
  Source source = source_of(x);
  ValueRef written;  // the array's own value, if `out` is part of its memory
  std::vector<Event> depends;
  if (overlap(source.from, out, bytes_of(x))) {
    Source copied = source_of(copy(x));
    append_reads(*source.value, depends);
    written = std::exchange(source, std::move(copied)).value;
  }
  depends.push_back(last_write(source.dense, *source.value));
  const Event copied = x.queue().copy(out, source.from, bytes_of(x), depends);
  note_read(*source.value, copied);
  if (written) note_write(*written, copied);
  return copied;
}

Array to_queue(const Array& x, const Allocate& where) {
  const bool same_usm = x.usm_type() == where.usm_type;
  if (x.queue() == where.queue && same_usm) return x;
  if (same_usm && x.queue().context() == where.queue.context()) {
    submitted(x);
    LayoutRef there =
        make_layout(where.queue, x.shape(), x.strides(), x.layout()->offset, x.layout()->read_only);
    return Array(x.storage(), std::move(there), x.dtype());
  }
  const Source source = source_of(x);
  Memory fresh(where.queue, bytes_of(x), where.usm_type);
  const Event depends[] = {last_write(source.dense, *source.value)};
  const Event copied = where.queue.copy(fresh.data(), source.from, bytes_of(x), depends);
  note_read(*source.value, copied);
  ValueRef moved = memory_value(fresh, 0, contiguous_layout(where.queue, x.shape()), x.dtype());
  note_write(*moved, copied);
  if (source.dense.storage()->escaped.load(std::memory_order_acquire)) settle(*moved);
  return make_array(std::move(moved));
}

Array as_elements(const Array& x, DType dtype) {
  const int64_t bytes = x.size() * x.itemsize();
  const bool is_whole = x.ndim() == 1 && x.is_c_contiguous() && x.layout()->offset == 0 &&
                        x.storage()->present().shape().product() == x.size();
  if (!is_whole || bytes % size_of(dtype) != 0)
    throw Error(ErrorKind::kValue, "as_elements",
                fmt::format("shape {} of {} has no elements of {}; a whole array of one dimension "
                            "in C order is needed",
                            shape_text(x.shape()), name_of(x.dtype()), name_of(dtype)));
  const ValueRef value = submitted(x);
  require_ready(*value);
  ValueRef same = memory_value(value->memory, value->offset_bytes,
                               contiguous_layout(x.queue(), Dims{bytes / size_of(dtype)}), dtype);
  note_write(*same, value->written);
  return make_array(std::move(same));
}

}  // namespace hither
