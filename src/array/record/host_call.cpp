// Calls on the host among recorded work: how they are recorded, and how they run again.
#include <algorithm>

#include "array/flush.h"
#include "array/record/recorded_run.h"
#include "array/record/work_recorder.h"

namespace hither {

using namespace array;

namespace array {

namespace {

bool is_ready(const Value& v) noexcept {
  return v.state.load(std::memory_order_acquire) == ValueState::kReady;
}

/// The evaluated value of the array's storage in memory that nothing else uses: a copy of it, if
/// necessary. So the work of a recording, which knows alignments and may write in place, can use
/// it. Null if the value has failed.
ValueRef value_of_own_memory(const Array& x) {
  (void)x.evaluate();
  ValueRef v = x.storage()->value();
  if (!is_ready(*v)) return {};
  constexpr uint32_t kExpectedReferences = 2;  // the storage's, and that of `v`
  const auto bytes = static_cast<size_t>(v->layout->size * size_of(v->dtype));
  if (v->reference_count() <= kExpectedReferences && v->memory && !v->memory.is_foreign() &&
      !x.storage()->escaped.load(std::memory_order_acquire) && v->offset_bytes == 0 &&
      v->memory.bytes() == bytes && reinterpret_cast<uintptr_t>(v->memory.data()) % 64 == 0)
    return v;
  (void)synchronise_if_escaped(x, v->queue);
  ValueRef own =
      memory_value(Memory::for_work(v->queue, bytes, v->usm_type), 0, v->layout, v->dtype);
  if (bytes == 0) return own;
  const Event written[] = {v->written.event()};
  const Event copied = v->queue.copy(own->memory.data(), address_of(*v), bytes,
                                     std::span(written, written[0].state() ? 1 : 0));
  note_read(*v, copied);
  note_write(*own, copied);
  return own;
}

int number_of(const std::vector<Reference<Storage>>& storages, const Reference<Storage>& wanted) {
  const auto found = std::ranges::find(storages, wanted);
  return found == storages.end() ? -1 : static_cast<int>(found - storages.begin());
}

bool same_layouts(const Layout& a, const Layout& b) {
  return &a == &b || (a.queue == b.queue && a.shape == b.shape && a.strides == b.strides &&
                      a.offset == b.offset);
}

bool fits(const Value& v, const RecordedOutput& o) {
  return v.queue == o.whole->queue && v.dtype == o.dtype && v.usm_type == o.usm_type &&
         v.shape() == o.whole->shape && v.memory.bytes() == o.bytes;
}

}  // namespace

/// New storages with the values of others, so that a call changes and shares these alone.
class CallOperands {
 public:
  /// The array with the storage of this number in place of its own; numbers follow each other.
  void add(int number, const ValueRef& value, bool read_only, LayoutRef layout, DType dtype) {
    if (number == static_cast<int>(storages_.size())) {
      storages_.emplace_back(new Storage(value));
      storages_.back()->read_only = read_only;
      values_.push_back(value);  // a write in place copies the elements first
    }
    arrays_.emplace_back(storages_[static_cast<size_t>(number)], std::move(layout), dtype);
  }
  std::span<const Array> arrays() const { return arrays_; }
  const std::vector<Reference<Storage>>& storages() const { return storages_; }
  bool is_written(size_t number) const { return storages_[number]->value() != values_[number]; }
  /// An array that has the storage.
  Array array_with(size_t number) const {
    const Value& v = storages_[number]->present();
    return {storages_[number], v.layout, v.dtype};
  }

 private:
  std::vector<Array> arrays_;
  std::vector<Reference<Storage>> storages_;
  std::vector<ValueRef> values_;
};

// Returns false after refuse().
bool WorkRecorder::add_view(const Array& x, std::vector<Reference<Storage>>& storages,
                            RecordedHostCall& call) {
  (void)x.evaluate();
  const ValueRef v = x.storage()->value();
  if (!is_ready(*v)) return refuse("an operand of a call has failed"), false;
  const int memory = memory_of(*v);
  if (memory < 0 || x.storage()->escaped.load(std::memory_order_acquire))
    return refuse(kUnknown), false;
  if (!(v->queue == *work_->queue) || !(x.queue() == *work_->queue))
    return refuse("a call has operands of several queues"), false;
  const auto m = static_cast<size_t>(memory);
  const bool of_argument = m < arguments_.size();
  const char* start = of_argument ? first_element(arguments_[m], *before_[m]) : known_[m].data;
  int storage = number_of(storages, x.storage());
  if (storage < 0) {
    storage = static_cast<int>(storages.size());
    storages.push_back(x.storage());
  }
  const char* at = address_of(*v);
  call.views.push_back({.memory = static_cast<uint16_t>(memory),
                        .storage = storage,
                        .is_argument = of_argument && v == before_[m],
                        .read_only = x.storage()->read_only,
                        .offset = at + x.layout()->offset * x.itemsize() - start,
                        .into = at - start,
                        .whole = v->layout,
                        .element = v->dtype,
                        .layout = x.layout(),
                        .dtype = x.dtype()});
  return true;
}

// The number of the output; -1 after refuse().
int WorkRecorder::add_output(const ValueRef& value, int storage, RecordedHostCall& call) {
  if (!value) return refuse("a result of a call has failed"), -1;
  if (!work_->queue) work_->queue = value->queue;
  if (!(value->queue == *work_->queue) || !value->queue.properties().in_order)
    return refuse("a call has a result on another queue"), -1;
  if (known_.size() > kMostMemories) return refuse(kTooLarge), -1;
  const auto memory = static_cast<uint16_t>(known_.size());
  const Memory& m = value->memory;
  known_.push_back({m.state().get(), static_cast<const char*>(m.data()), m.bytes()});
  work_->made.push_back({m.bytes(), m.usm_type()});
  call.outputs.push_back(
      {memory, storage, m.bytes(), value->layout, value->dtype, value->usm_type});
  return static_cast<int>(call.outputs.size()) - 1;
}

// Makes the results arrays of recorded memory, and `storages` name what the call has written.
void WorkRecorder::add_outputs(std::span<const Reference<Storage>> storages,
                               const CallOperands& operands, std::vector<Array>& results,
                               RecordedHostCall& call) {
  for (size_t s = 0; s < storages.size(); ++s) {
    if (!operands.is_written(s)) continue;
    const ValueRef value = value_of_own_memory(operands.array_with(s));
    if (add_output(value, static_cast<int>(s), call) < 0) return;
    storages[s]->rename(value);
  }
  std::vector<Reference<Storage>> given, made;  // storages of results
  std::vector<int> outputs;
  for (Array& x : results) {
    const int operand = number_of(operands.storages(), x.storage());
    int own = -1;
    if (operand < 0 && (own = number_of(given, x.storage())) < 0) {
      const ValueRef value = value_of_own_memory(x);
      const int output = add_output(value, -1, call);
      if (output < 0) return;
      own = static_cast<int>(given.size());
      given.push_back(x.storage());
      made.emplace_back(new Storage(value));
      outputs.push_back(output);
    }
    call.returns.push_back(
        {operand, own < 0 ? -1 : outputs[static_cast<size_t>(own)], x.layout(), x.dtype()});
    x = Array(own < 0 ? storages[static_cast<size_t>(operand)] : made[static_cast<size_t>(own)],
              x.layout(), x.dtype());
  }
}

std::optional<std::vector<Array>> WorkRecorder::call(std::shared_ptr<const RecordedCall> called,
                                                     std::span<const Array> operands,
                                                     std::span<const Scalar> numbers) {
  auto call = std::make_shared<RecordedHostCall>();
  std::vector<Reference<Storage>> storages;
  CallOperands given;
  for (const Array& x : operands) {
    if (!add_view(x, storages, *call)) break;
    const RecordedView& view = call->views.back();
    given.add(view.storage, x.storage()->value(), view.read_only, x.layout(), x.dtype());
  }
  for (const Scalar& number : numbers) call->numbers.push_back(number.symbol());
  const bool as_plain = !refusal_.empty();
  std::vector<Array> results;
  stop();  // the work of the call is its own
  struct Resumption {
    WorkRecorder& recorder;
    ~Resumption() { recorder.resume(); }
  };
  const Resumption resumption{*this};
  try {
    if (!called->run(as_plain ? operands : given.arrays(), numbers, results)) {
      refuse(kErrorOfCall);
      return std::nullopt;
    }
  } catch (...) {
    refuse(kErrorOfCall);
    throw;
  }
  if (as_plain) return results;
  add_outputs(storages, given, results, *call);
  RecordedStep step;
  step.kind = RecordedStep::Kind::kCall;
  for (const RecordedView& view : call->views) step.uses.push_back(view.memory);
  for (const RecordedOutput& output : call->outputs) step.uses.push_back(output.memory);
  std::ranges::sort(step.uses);
  step.uses.erase(std::ranges::unique(step.uses).begin(), step.uses.end());
  call->call = std::move(called);
  step.call = std::move(call);
  add(std::move(step));
  --accounted_;  // nothing of it has been observed
  work_->has_calls = true;
  return results;
}

bool RecordedRun::call() {
  const RecordedStep& step = (*steps_)[next_];
  const RecordedHostCall& call = *step.call;
  for (const uint16_t m : step.allocates) memories_[m] = allocated(m);  // no step has written it
  CallOperands operands;
  for (const RecordedView& view : call.views)
    if (!add_operand(view, operands)) return false;
  std::vector<Scalar> numbers;
  for (const uint16_t symbol : call.numbers) numbers.push_back(numbers_[symbol - 1u]);
  std::vector<Array> results;
  try {
    if (!call.call->run(operands.arrays(), numbers, results)) return false;
  } catch (const Error&) {  // the function itself raises it again, and may handle it
    return false;
  }
  if (!take(call, operands, results)) return false;
  for (const uint16_t m : step.last_uses) memories_[m] = Memory();
  ++next_;
  return true;
}

bool RecordedRun::add_operand(const RecordedView& view, CallOperands& operands) const {
  const size_t m = view.memory;
  char* const start = address(static_cast<int>(m), 0);
  if (!view.is_argument) {
    const Memory& memory = m < before_.size() ? before_[m]->memory : memories_[m];
    const int64_t into = start + view.into - static_cast<char*>(memory.data());
    ValueRef v = memory_value(memory, into, view.whole, view.element);
    v->written = events_[m];
    operands.add(view.storage, v, view.read_only, view.layout, view.dtype);
    return true;
  }
  const int64_t offset = start + view.offset - address_of(*before_[m]);
  const int64_t size = size_of(view.dtype);
  if (offset % size != 0) return false;
  const Layout& l = *view.layout;
  LayoutRef layout = offset / size == l.offset
                         ? view.layout
                         : make_layout(l.queue, l.shape, l.strides, offset / size, l.read_only);
  operands.add(view.storage, before_[m], view.read_only, std::move(layout), view.dtype);
  return true;
}

// Makes the memories of the results those of the run. Returns whether they are the recorded ones.
bool RecordedRun::take(const RecordedHostCall& call, const CallOperands& operands,
                       std::span<const Array> results) {
  if (results.size() != call.returns.size()) return false;
  std::vector<const Array*> made(call.outputs.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const Array& x = results[i];
    const RecordedReturn& known = call.returns[i];
    if (number_of(operands.storages(), x.storage()) != known.storage || x.dtype() != known.dtype ||
        !same_layouts(*x.layout(), *known.layout))
      return false;
    if (known.output < 0) continue;
    const Array*& first = made[static_cast<size_t>(known.output)];
    if (first && first->storage() != x.storage()) return false;
    first = &x;
  }
  size_t written = 0;
  for (size_t s = 0; s < operands.storages().size(); ++s) written += operands.is_written(s);
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    const RecordedOutput& output = call.outputs[i];
    const auto s = static_cast<size_t>(output.storage);
    if (output.storage >= 0) {
      if (!operands.is_written(s)) return false;
      --written;
    }
    const ValueRef v = value_of_own_memory(output.storage >= 0 ? operands.array_with(s) : *made[i]);
    if (!v || !fits(*v, output)) return false;
    memories_[output.memory] = v->memory;
    events_[output.memory] = v->written.event();
  }
  return written == 0;
}

}  // namespace array

std::optional<std::vector<Array>> Recorder::call(std::shared_ptr<const RecordedCall> call,
                                                 std::span<const Array> operands,
                                                 std::span<const Scalar> numbers) {
  return WorkRecorder::of_this_thread()->call(std::move(call), operands, numbers);
}

}  // namespace hither
