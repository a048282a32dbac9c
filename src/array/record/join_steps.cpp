#include "array/record/join_steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "array/emit/joined.h"
#include "array/emit/module.h"
#include "array/kernel_table.h"
#include "compiler/module/llvm_guard.h"
#include "runtime/device_facts.h"
#include "runtime/kernel_state.h"

namespace hither::array {
namespace {

/// Larger launches use more than one thread of a CPU, or more than one multiprocessor of a GPU. So
/// do those of few items that walk long rows.
constexpr int64_t kMostItems = 4096, kMostItemsOfCpu = 1024, kMostBytesOfItem = 64,
                  kLongestWalk = 16;
/// Of the arguments' slots; devices may take fewer.
constexpr int64_t kMostSlots = 500;
constexpr size_t kMostParts = 64;
/// CPUs: the most items of a part, and of all, whose sizes and addresses are constants of the code,
/// and the most bytes of a memory that the code provides itself.
constexpr int64_t kMostKnownItems = 64, kMostKnown = 2048;
constexpr size_t kMostPrivateBytes = 4096;

/// Where the joined kernel runs.
struct JoinedDevice {
  bool in_group;
  int64_t most_items, largest_group;
  size_t most_slots;

  explicit JoinedDevice(const Queue& queue) {
    const auto& facts = runtime::facts_of(queue.device());
    in_group = facts.target.kind != target::TargetKind::kCpu;
    most_items = in_group ? kMostItems : kMostItemsOfCpu;
    largest_group = facts.max_work_group_size;
    const auto bytes = facts.info.find("max_parameter_size");
    const auto* given = bytes == facts.info.end() ? nullptr : std::get_if<int64_t>(&bytes->second);
    constexpr int64_t kOfLaunch = 12;  // what a launch adds
    const int64_t slots = given ? *given / 8 - kOfLaunch : kMostSlots;
    most_slots = static_cast<size_t>(std::clamp<int64_t>(slots, 0, kMostSlots));
  }
};

/// A step as part of a joined kernel. Copies are kernels of bytes or of words.
struct Part {
  std::shared_ptr<const RecordedKernel> kernel;
  NdRange range = Range(1);
  llvm::SmallVector<uint64_t, 16> slots;
  llvm::SmallVector<RecordedAddress, 8> addresses;

  size_t size() const { return slots.size() + static_cast<size_t>(range.global.dimensions); }
};

template <class Word>
target::KernelModule emit_copy() {
  ModuleBuilder m("hither_copy");
  for (int k = 0; k < 2; ++k) m.parameter(target::Parameter::kPointer);
  llvm::IRBuilder<>& b = m.begin();
  llvm::Type* word = b.getIntNTy(8 * sizeof(Word));
  llvm::Value *to = m.next_parameter(), *from = m.next_parameter(), *at = m.global_id(0);
  const auto address = [&](llvm::Value* p) { return b.CreateInBoundsGEP(word, p, at); };
  const llvm::Align align(sizeof(Word));
  b.CreateAlignedStore(b.CreateAlignedLoad(word, address(from), align), address(to), align);
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

template <class Word>
std::shared_ptr<const RecordedKernel> copy_kernel() {
  return std::make_shared<RecordedKernel>(RecordedKernel{
      fmt::format("copy{}", sizeof(Word)), compiler::with_llvm([] { return emit_copy<Word>(); })});
}

/// Whether element 0 of the source and the size are multiples of words.
bool has_words(const RecordedWork& work, const RecordedStep& copy) {
  const RecordedAddress& from = copy.addresses[0];
  int64_t at = from.offset;
  if (from.memory < work.arguments.size()) at += work.arguments[from.memory].alignment;
  return at % 8 == 0 && copy.bytes % 8 == 0;
}

std::optional<Part> part_of(const RecordedWork& work, const RecordedStep& step,
                            const JoinedDevice& device) {
  Part part;
  if (step.kind == RecordedStep::Kind::kCopy) {
    static const auto bytes = copy_kernel<uint8_t>(), words = copy_kernel<uint64_t>();
    const bool in_words = has_words(work, step);
    part.kernel = in_words ? words : bytes;
    part.range = Range(in_words ? step.bytes / 8 : step.bytes);
    part.slots.resize(2);
    part.addresses.push_back({0, static_cast<uint16_t>(step.target), 0});
    part.addresses.push_back(step.addresses[0]);
    part.addresses.back().slot = 1;
  } else if (step.kind == RecordedStep::Kind::kLaunch && step.part && step.range.local[0] == 0) {
    part.kernel = step.part;
    part.range = step.range;
    part.slots.assign(step.slots.begin(), step.slots.end());
    part.addresses = step.addresses;
  } else {
    return std::nullopt;
  }
  if (part.range.global.items() > device.most_items ||
      step.bytes > kMostBytesOfItem * device.most_items ||
      step.walked > kLongestWalk * device.most_items)
    return std::nullopt;
  return part;
}

void add_new(std::vector<uint16_t>& all, const std::vector<uint16_t>& more) {
  for (const uint16_t m : more)
    if (std::ranges::find(all, m) == all.end()) all.push_back(m);
}

bool contains(const std::vector<uint16_t>& all, uint16_t memory) {
  return std::ranges::find(all, memory) != all.end();
}

/// Collects the steps of one launch.
class JoinedStep {
 public:
  explicit JoinedStep(const JoinedDevice& device) : device_(device) {}

  void add(const RecordedStep& step, Part part) {
    const int64_t elements = step.elements >= 0 && step.kind == RecordedStep::Kind::kLaunch
                                 ? step.elements
                                 : part.range.global.items();
    for (int d = 0; d < part.range.global.dimensions; ++d)
      step_.slots.push_back(static_cast<uint64_t>(part.range.global.size[d]));
    const size_t first = step_.slots.size();
    step_.slots.append(part.slots.begin(), part.slots.end());
    for (RecordedAddress a : part.addresses) {
      a.slot = static_cast<uint16_t>(a.slot + first);
      step_.addresses.push_back(a);
    }
    for (RecordedNumber n : step.numbers) {
      n.slot = static_cast<uint16_t>(n.slot + first);
      step_.numbers.push_back(n);
    }
    step_.bytes += step.bytes;
    step_.elements += elements;
    add_new(step_.uses, step.uses);
    add_new(step_.allocates, step.allocates);
    add_new(step_.last_uses, step.last_uses);
    parts_.push_back(std::move(part));
  }

  RecordedStep finish(const RecordedWork& work) {
    int64_t most = 1, all = 0;
    for (const Part& p : parts_) {
      most = std::max(most, p.range.global.items());
      all += p.range.global.items();
    }
    JoinedCode code{.parts = {}, .group = device_.in_group ? group_of(most) : 0, .memories = {}};
    for (const Part& p : parts_)
      code.parts.push_back({.module = &p.kernel->module,
                            .dimensions = p.range.global.dimensions,
                            .sizes = {},
                            .arguments = {}});
    if (!device_.in_group && most <= kMostKnownItems && all <= kMostKnown) know(code, work);
    const ReadyKernel ready = find_kernel(
        *work.queue, key_of(code), [&] { return emit_joined(code); },
        [&] { return fmt::format("{} joined kernels", parts_.size()); });
    step_.sort_numbers();
    step_.kernel = ready.kernel;
    step_.name = ready.name;
    step_.device = ready.device;
    if (code.group > 0) step_.range = NdRange(Range(code.group), Range(code.group));
    return std::move(step_);
  }

 private:
  std::string key_of(const JoinedCode& code) const {
    std::string key = fmt::format("joined {}", code.group);
    for (size_t i = 0; i < parts_.size(); ++i) {
      const std::string& own = parts_[i].kernel->key;
      key += fmt::format(" {} {} ", code.parts[i].dimensions, own.size()) + own;
      for (const int64_t size : code.parts[i].sizes) key += fmt::format(" {}", size);
      for (const KnownArgument& a : code.parts[i].arguments)
        key += fmt::format(" {},{},{}", static_cast<int>(a.kind), a.value, a.memory);
    }
    for (const JoinedMemory& m : code.memories)
      key += fmt::format(" {} {}", m.private_bytes, m.is_new);
    return key;
  }

  /// Makes sizes, integers and addresses constants of the code. Memories that no other step uses
  /// become the code's own.
  void know(JoinedCode& code, const RecordedWork& work) {
    std::vector<uint16_t> memories;  // in the order of their first use
    size_t first = 0;                // slot of the part
    for (size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      JoinedPart& joined = code.parts[i];
      const auto dimensions = static_cast<size_t>(joined.dimensions);
      joined.sizes.assign(part.range.global.size, part.range.global.size + dimensions);
      first += dimensions;
      size_t slot = 0;
      for (const target::Parameter p : joined.module->signature.parameters) {
        joined.arguments.push_back(known(part, first, slot, p, memories));
        slot += (target::size_of(p) + 7) / 8;
      }
      first += slot;
    }
    for (const uint16_t m : memories) {
      JoinedMemory& memory = code.memories.emplace_back();
      memory.is_new = contains(step_.allocates, m);
      if (!memory.is_new || !contains(step_.last_uses, m)) continue;
      const size_t bytes = work.made[m - work.arguments.size()].bytes;
      if (bytes == 0 || bytes > kMostPrivateBytes) continue;
      memory.private_bytes = bytes;
      for (auto* steps_of : {&step_.allocates, &step_.uses, &step_.last_uses})
        std::erase(*steps_of, m);
      llvm::erase_if(step_.addresses, [&](const RecordedAddress& a) { return a.memory == m; });
    }
  }

  KnownArgument known(const Part& part, size_t first, size_t slot, target::Parameter p,
                      std::vector<uint16_t>& memories) const {
    for (const RecordedAddress& a : part.addresses)
      if (a.slot == slot) {
        const auto at = std::ranges::find(memories, a.memory);
        const auto memory = static_cast<int>(at - memories.begin());
        if (at == memories.end()) memories.push_back(a.memory);
        return {KnownArgument::Kind::kAddress, a.offset, memory};
      }
    const bool is_symbol = std::ranges::any_of(
        step_.numbers, [&](const RecordedNumber& n) { return n.slot == first + slot; });
    if (p != target::Parameter::kInt64 || is_symbol) return {};
    return {KnownArgument::Kind::kInteger, static_cast<int64_t>(part.slots[slot]), -1};
  }

  int64_t group_of(int64_t most) const {
    const int64_t wanted = most <= 64 ? 64 : most <= 256 ? 256 : 1024;
    return std::min(wanted, device_.largest_group);
  }

  const JoinedDevice& device_;
  std::vector<Part> parts_;
  RecordedStep step_{.elements = 0};
};

/// Consecutive steps that one launch takes: two at least, or a single step, without parts.
struct Run {
  int steps = 1;
  std::vector<Part> parts;
};

std::vector<Run> runs_of(const RecordedWork& work, const JoinedDevice& device) {
  std::vector<Run> runs;
  for (size_t i = 0; i < work.steps.size();) {
    Run run;
    size_t slots = 0;
    for (size_t k = i; k < work.steps.size() && run.parts.size() < kMostParts; ++k) {
      auto part = part_of(work, work.steps[k], device);
      if (!part || slots + part->size() > device.most_slots) break;
      slots += part->size();
      run.parts.push_back(std::move(*part));
    }
    if (run.parts.size() < 2) run.parts.clear();
    run.steps = std::max(static_cast<int>(run.parts.size()), 1);
    i += static_cast<size_t>(run.steps);
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace

std::vector<int> joined_counts(const RecordedWork& work) {
  if (!work.queue) return {};
  std::vector<int> counts;
  for (const Run& run : runs_of(work, JoinedDevice(*work.queue))) {
    counts.push_back(run.steps);
    counts.insert(counts.end(), static_cast<size_t>(run.steps - 1), 0);
  }
  return counts;
}

std::vector<RecordedStep> join_steps(const RecordedWork& work) {
  std::vector<RecordedStep> steps;
  if (work.steps.size() < 2) return steps;  // work without arguments and steps has no queue
  const JoinedDevice device(*work.queue);
  std::vector<Run> runs = runs_of(work, device);
  if (std::ranges::all_of(runs, [](const Run& run) { return run.parts.empty(); })) return steps;
  auto step = work.steps.begin();
  for (Run& run : runs) {
    if (run.parts.empty()) {
      steps.push_back(*step++);
      continue;
    }
    JoinedStep joined(device);
    for (Part& part : run.parts) joined.add(*step++, std::move(part));
    steps.push_back(joined.finish(work));
  }
  return steps;
}

}  // namespace hither::array
