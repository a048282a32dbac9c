#include "array/record/work_recorder.h"

#include <algorithm>
#include <iterator>

#include "array/emit/joined.h"
#include "array/flush.h"
#include "compiler/module/llvm_guard.h"
#include "runtime/kernel_state.h"
#include "runtime/memory_state.h"
#include "runtime/queue_state.h"

namespace hither {

using namespace array;

namespace array {

WorkRecorder::WorkRecorder(std::span<const Array> arguments)
    : work_(std::make_shared<RecordedWork>()), arguments_(arguments.begin(), arguments.end()) {
  for (const Array& x : arguments_) before_.push_back(x.storage()->value());
  if (!describe_arguments()) stop();
}

// Returns false after refuse().
bool WorkRecorder::describe_arguments() {
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const Array& x = arguments_[i];
    const Value& v = *before_[i];
    if (v.state.load(std::memory_order_acquire) != ValueState::kReady)
      return refuse("an argument has failed"), false;
    if (x.storage()->escaped.load(std::memory_order_acquire))
      return refuse("the memory of an argument is shared with other libraries"), false;
    if (!work_->queue) work_->queue = x.queue();
    if (!(x.queue() == *work_->queue) || !(v.queue == *work_->queue))
      return refuse("the arguments are on several queues"), false;
    const auto same = std::ranges::find(before_, before_[i]);
    const int alias = static_cast<int>(same - before_.begin());
    const char* at = first_element(x, v);
    const char* others = first_element(arguments_[static_cast<size_t>(alias)], v);
    const auto stored = std::ranges::find(arguments_, x.storage(), &Array::storage);
    work_->arguments.push_back({.layout = x.layout(),
                                .dtype = x.dtype(),
                                .usm_type = x.usm_type(),
                                .read_only = x.is_read_only(),
                                .alias = alias,
                                .storage = static_cast<int>(stored - arguments_.begin()),
                                .distance = at - others,
                                .alignment = static_cast<int>(reinterpret_cast<uintptr_t>(at) % 64),
                                .written = false,
                                .into = at - static_cast<const char*>(v.memory.data()),
                                .bytes = v.memory.bytes(),
                                .whole = v.layout});
    const void* state = v.memory.state().get();
    for (size_t k = 0; k < i; ++k)
      if (known_[k].state == state && before_[k] != before_[i])
        return refuse("two arguments share memory"), false;
    known_.push_back({state, static_cast<const char*>(v.memory.data()), v.memory.bytes()});
  }
  if (work_->queue && !work_->queue->properties().in_order)
    return refuse("the queue runs tasks out of order"), false;
  return true;
}

void WorkRecorder::allocated(const Memory& memory) {
  if (!work_->queue) work_->queue = memory.queue();
  if (!(memory.queue() == *work_->queue)) return refuse("memory of another queue is allocated");
  if (known_.size() > kMostMemories) return refuse(kTooLarge);
  known_.push_back({memory.state().get(), static_cast<const char*>(memory.data()), memory.bytes()});
  work_->made.push_back({memory.bytes(), memory.usm_type()});
}

void WorkRecorder::submitted(const Queue& queue) noexcept {
  ++submissions_;
  if (work_->queue && !(queue == *work_->queue)) --accounted_;  // never equal again
}

// Later memories may be where earlier ones were.
WorkRecorder::Place WorkRecorder::find(const void* address) const noexcept {
  const char* at = static_cast<const char*>(address);
  for (size_t i = known_.size(); i-- > 0;) {
    const Known& k = known_[i];
    if (at < k.data || at > k.data + k.bytes || (at == k.data + k.bytes && k.bytes != 0)) continue;
    const int memory = static_cast<int>(i);
    if (i >= arguments_.size()) return {memory, at - k.data};
    const int alias = work_->arguments[i].alias;
    return {alias, at - first_element(arguments_[static_cast<size_t>(alias)],
                                      *before_[static_cast<size_t>(alias)])};
  }
  return {-1, 0};
}

int WorkRecorder::memory_of(const Value& value) const noexcept {
  const void* state = value.memory.state().get();
  for (size_t i = known_.size(); i-- > 0;)
    if (known_[i].state == state)
      return i < arguments_.size() ? work_->arguments[i].alias : static_cast<int>(i);
  return -1;
}

void WorkRecorder::add(RecordedStep step) {
  ++accounted_;
  for (const RecordedAddress& a : step.addresses)
    if (std::ranges::find(step.uses, a.memory) == step.uses.end()) step.uses.push_back(a.memory);
  work_->steps.push_back(std::move(step));
}

void WorkRecorder::found(const Kernel& kernel, std::string_view key,
                         llvm::function_ref<target::KernelModule()> make) {
  const auto [at, is_new] = parts_.try_emplace(kernel.state().get());
  if (!is_new || kernel.state()->has_groups) return;
  compiler::with_llvm([&] {
    target::KernelModule module = make();
    if (!can_be_joined(module)) return;
    at->second =
        std::make_shared<RecordedKernel>(RecordedKernel{std::string(key), std::move(module)});
  });
}

void WorkRecorder::launched(const Queue& queue, const ReadyKernel& kernel, const NdRange& range,
                            llvm::ArrayRef<uint64_t> slots, const AddressSlots& addresses,
                            llvm::ArrayRef<RecordedNumber> numbers, int64_t bytes, int64_t elements,
                            int64_t walked) {
  if (range.global.items() == 0) return;
  RecordedStep step;
  if (slots.size() > addresses.size() || !work_->queue || !(queue == *work_->queue))
    unknown_address_ = true;
  for (size_t i = 0; i < std::min(slots.size(), addresses.size()); ++i) {
    if (!addresses[i]) continue;
    const Place place = find(reinterpret_cast<const void*>(slots[i]));
    if (place.memory < 0) unknown_address_ = true;
    step.addresses.push_back(
        {static_cast<uint16_t>(i), static_cast<uint16_t>(place.memory), place.offset});
  }
  step.kernel = kernel.kernel;
  if (const auto found = parts_.find(kernel.kernel.state().get()); found != parts_.end())
    step.part = found->second;
  step.name = kernel.name;
  step.device = kernel.device;
  step.range = range;
  step.slots.assign(slots.begin(), slots.end());
  step.numbers.assign(numbers.begin(), numbers.end());
  step.sort_numbers();
  step.bytes = bytes;
  step.elements = elements;
  step.walked = walked;
  add(std::move(step));
}

void WorkRecorder::copied(const Memory& to, const Memory& from) {
  if (to.bytes() == 0) return;
  const Place source = find(from.data()), target = find(to.data());
  if (source.memory < 0 || target.memory < 0) return refuse("memory of unknown origin is copied");
  RecordedStep step;
  step.kind = RecordedStep::Kind::kCopy;
  step.target = target.memory;
  step.bytes = static_cast<int64_t>(to.bytes());
  step.addresses.push_back({0, static_cast<uint16_t>(source.memory), source.offset});
  step.uses.push_back(static_cast<uint16_t>(target.memory));
  add(std::move(step));
}

void WorkRecorder::begin_recipe() {
  mark_ = {work_->steps.size(), submissions_, accounted_, unknown_address_};
}

void WorkRecorder::end_recipe(Value& value, std::span<const Operated> operands) {
  const bool captured = submissions_ - mark_.submissions == accounted_ - mark_.accounted &&
                        unknown_address_ == mark_.unknown_address;
  if (captured) return;
  work_->steps.resize(mark_.steps);
  accounted_ = mark_.accounted + (submissions_ - mark_.submissions) - 1;
  unknown_address_ = mark_.unknown_address;
  RecordedStep step;
  step.kind = RecordedStep::Kind::kRecipe;
  step.target = memory_of(value);
  if (step.target < 0) return refuse("a library call stores to memory of unknown origin");
  step.recipe = std::shared_ptr<const Recipe>(std::move(value.recipe));
  step.layout = value.layout;
  step.dtype = value.dtype;
  step.compute = value.compute;
  step.usm_type = value.usm_type;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Value* v = operands[i].value.get();
    RecordedOperand& operand = step.operands.emplace_back();
    const Input& in = value.inputs[i];
    operand.input.layout = in.layout;
    operand.input.dtype = in.dtype;
    std::ranges::copy(in.number, operand.input.number);
    fix(in.symbol);
    operand.operated = operands[i].offset;
    if (!v) continue;
    const Place place = find(address_of(*v));
    if (place.memory < 0) return refuse("a library call reads memory of unknown origin");
    operand.memory = place.memory;
    operand.offset = place.offset;
    operand.whole = v->layout;
    operand.dtype = v->dtype;
    step.addresses.push_back({0, static_cast<uint16_t>(place.memory), place.offset});
  }
  step.uses.push_back(static_cast<uint16_t>(step.target));
  add(std::move(step));
}

void WorkRecorder::writes(const Array& x) {
  for (const Array& argument : arguments_)
    if (argument.storage() == x.storage()) return;
  const Value& value = x.storage()->present();
  const bool known = value.is_pending() ? made_.contains(&value) : memory_of(value) >= 0;
  if (!known) refuse(kUnknown);
}

void WorkRecorder::refuse(std::string_view reason) {
  if (refusal_.empty()) refusal_ = reason;
}

int WorkRecorder::add_value(const Value& value) {
  // Storages that share a value share it after a run too: writing one then copies it first.
  if (const auto found = std::ranges::find(added_, &value); found != added_.end())
    return static_cast<int>(found - added_.begin());
  const int memory = memory_of(value);
  if (value.state.load(std::memory_order_acquire) != ValueState::kReady || memory < 0 ||
      !(value.queue == *work_->queue))
    return -1;
  const auto m = static_cast<size_t>(memory);
  const bool of_argument = m < arguments_.size();
  const bool has_own_memory =
      std::ranges::find(work_->values, memory, &RecordedWork::MadeValue::memory) ==
      work_->values.end();
  if (!has_own_memory || (of_argument && before_[m].get() != &value)) return -1;
  const char* at = address_of(value);
  const char* start = of_argument ? first_element(arguments_[m], *before_[m])
                                  : static_cast<const char*>(value.memory.data());
  added_.push_back(&value);
  work_->values.push_back({memory, at - start, value.layout, value.dtype});
  return static_cast<int>(work_->values.size()) - 1;
}

bool WorkRecorder::add_result(const Array& x) {
  RecordedWork::Result r{.layout = x.layout(), .dtype = x.dtype()};
  for (size_t i = 0; i < arguments_.size() && r.argument < 0; ++i)
    if (arguments_[i].storage() == x.storage()) r.argument = static_cast<int>(i);
  if (r.argument >= 0) work_->arguments[static_cast<size_t>(r.argument)].named = true;
  if (r.argument < 0) {
    const auto found = std::ranges::find(stored_, x.storage().get());
    r.storage = static_cast<int>(found - stored_.begin());
    if (found == stored_.end()) {
      stored_.push_back(x.storage().get());
      if (x.storage()->escaped.load(std::memory_order_acquire)) return false;
    }
    r.value = add_value(x.storage()->present());
    if (r.value < 0) return false;
  }
  work_->results.push_back(std::move(r));
  return true;
}

// Memories are allocated before the step that uses them first, and freed after the last one.
void WorkRecorder::find_lifetimes() {
  const size_t arguments = arguments_.size();
  std::vector<int> first(known_.size(), -1), last(known_.size(), -1);
  for (size_t s = 0; s < work_->steps.size(); ++s)
    for (const uint16_t m : work_->steps[s].uses) {
      if (first[m] < 0) first[m] = static_cast<int>(s);
      last[m] = static_cast<int>(s);
    }
  for (const auto& value : work_->values) {
    const auto m = static_cast<size_t>(value.memory);
    last[m] = -1;
    if (first[m] < 0 && m >= arguments && std::ranges::count(work_->unused, m) == 0)
      work_->unused.push_back(static_cast<uint16_t>(m));
  }
  for (size_t m = arguments; m < known_.size(); ++m) {
    if (first[m] < 0) continue;
    RecordedStep& step = work_->steps[static_cast<size_t>(first[m])];
    if (!step.makes(static_cast<uint16_t>(m))) step.allocates.push_back(static_cast<uint16_t>(m));
    if (last[m] >= 0)
      work_->steps[static_cast<size_t>(last[m])].last_uses.push_back(static_cast<uint16_t>(m));
  }
}

std::shared_ptr<const RecordedWork> WorkRecorder::finish(std::span<const Array> results,
                                                         std::span<const Scalar> numbers) {
  std::vector<ValueRef> pending;
  for (const Array& x : results) pending.push_back(x.storage()->value());
  for (size_t i = 0; i < arguments_.size(); ++i)
    if (ValueRef v = arguments_[i].storage()->value(); v != before_[i])
      pending.push_back(std::move(v));
  array::submit(pending);
  stop();
  if (submissions_ != accounted_)
    refuse("it submits work other than that of array operations and kernels");
  if (unknown_address_) refuse(kUnknown);
  if (!refusal_.empty()) return nullptr;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const ValueRef v = arguments_[i].storage()->value();
    auto& argument = work_->arguments[i];
    argument.written = v != before_[i];
    if (!argument.written || argument.storage != static_cast<int>(i)) continue;
    argument.value = add_value(*v);
    if (argument.value < 0) return refuse("it writes an argument in another way"), nullptr;
  }
  for (const Array& x : results)
    if (!add_result(x)) return refuse("a result is not made by recorded work"), nullptr;
  for (const Scalar& s : numbers) work_->kinds.push_back(s.kind());
  for (const RecordedStep& step : work_->steps)
    std::ranges::copy_if(step.numbers, std::back_inserter(work_->integers),
                         [](const RecordedNumber& n) { return is_integer(n.dtype); });
  work_->storages = static_cast<int>(stored_.size());
  find_lifetimes();
  return std::move(work_);
}

void WorkRecorder::abandon() noexcept {
  stop();
  for (size_t i = 0; i < arguments_.size(); ++i)
    if (Storage& s = *arguments_[i].storage(); s.value() != before_[i]) s.rename(before_[i]);
}

void LaunchRecording::end(const Queue& queue, const Kernel& kernel, const std::string& name,
                          const std::string& device, const NdRange& range,
                          std::span<const std::byte> arguments, int64_t bytes) const {
  AddressSlots addresses;
  for (const size_t slot : addresses_)
    if (slot < addresses.size()) addresses.set(slot);
  const auto* slots = reinterpret_cast<const uint64_t*>(arguments.data());
  static_cast<WorkRecorder*>(observer_)->launched(queue, {kernel, name, device, "memory", 0}, range,
                                                  {slots, arguments.size() / sizeof(uint64_t)},
                                                  addresses, numbers_, bytes, -1, 0);
}

void refuse_reading(std::string_view where) {
  const WorkRecorder* const recorder = WorkRecorder::of_this_thread();
  if (!recorder || !recorder->refusal().empty()) [[likely]]
    return;
  throw Error(ErrorKind::kType, std::string(where),
              "a function with @hither.compile cannot read elements of arrays while it is "
              "recorded; return the array and read it after the call. hither.where replaces a "
              "branch, and hither.while_loop may call the function");
}

}  // namespace array

Recorder::Recorder(std::span<const Array> arguments) {
  if (is_active())
    throw Error(ErrorKind::kValue, "Recorder", "this thread records already; finish that first");
  for (const Array& x : arguments) (void)x.evaluate();
  recorder_ = std::make_unique<WorkRecorder>(arguments);
}

Recorder::~Recorder() = default;

std::shared_ptr<const Recording> Recorder::finish(std::span<const Array> results,
                                                  std::span<const Scalar> numbers) {
  auto work = recorder_->finish(results, numbers);
  recorder_->forget_arguments();
  return work ? std::make_shared<const Recording>(std::move(work)) : nullptr;
}

void Recorder::abandon() noexcept { recorder_->abandon(); }

const std::string& Recorder::refusal() const noexcept { return recorder_->refusal(); }

std::vector<uint16_t> Recorder::fixed_numbers() const {
  return {recorder_->fixed().begin(), recorder_->fixed().end()};
}

bool Recorder::is_active() noexcept { return WorkRecorder::of_this_thread() != nullptr; }

bool Recorder::is_refused() noexcept {
  const WorkRecorder* const r = WorkRecorder::of_this_thread();
  return !r || !r->refusal().empty();
}

void Recorder::fix(uint16_t symbol) {
  if (WorkRecorder* const r = WorkRecorder::of_this_thread()) r->fix(symbol);
}

void Recorder::refuse(std::string_view reason) {
  if (WorkRecorder* const r = WorkRecorder::of_this_thread()) r->refuse(reason);
}

}  // namespace hither
