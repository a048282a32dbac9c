#include "launch/offload_region.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>
#include <hither/memory.h>

#include "profiling/kernel_history.h"
#include "profiling/ranges.h"
#include "runtime/memory_state.h"

namespace hither::launch {
namespace {

constexpr int64_t kMostGroups = 1024;
constexpr int64_t kFewestGroups = 64;  // FEWEST_GROUPS of schedule.py
constexpr int64_t kShortestGroup = 128;
constexpr int64_t kRows = 8;  // ROWS of schedule.py
// From 8M iterations on, groups have 8192 iterations, and from 64M on there are 8192 groups: GPUs
// need that many.
constexpr int64_t kLongGroup = 8192;
constexpr int64_t kMostLongGroups = 8192;
// Limit on the memory of partial results. Each group has its own copy of reduced arrays, so large
// arrays reduce the number of groups.
constexpr int64_t kMostPartialBytes = int64_t{1} << 30;
constexpr int64_t kFewestArrays = 4;
// On CPUs, each copy of reduced arrays serves at least this many iterations, and as many for each
// of the elements: zeroing and combining the copies would take longer than the updates.
constexpr int64_t kItemsOfCopy = 2048;
constexpr int64_t kItemsOfElement = 4;

struct Registry {
  std::mutex mutex;
  std::unordered_map<int64_t, std::unique_ptr<Region>> regions;
};

Registry& registry() {
  static auto* instance =
      new Registry;  // never destroyed: host code may run until the process ends
  return *instance;
}

// Sizes of the arrays that each group has a copy of.
struct ReducedArrays {
  int64_t bytes = 0;
  int64_t elements = 0;
};

// Number of copies of reduced arrays for `items` iterations. `few`: the copies would take longer
// than the iterations, which are short.
int64_t copies_of(const ReducedArrays& arrays, int64_t items, bool few) {
  const int64_t most = std::clamp(kMostPartialBytes / arrays.bytes, kFewestArrays, kFewestGroups);
  if (!few) return most;
  const int64_t shortest =
      std::max(kItemsOfCopy, kItemsOfElement * std::min(arrays.elements, items));
  return std::clamp<int64_t>(items / shortest, 1, most);
}

// Length of the groups into which `items` iterations are divided, when each has a copy of `arrays`.
// It depends only on sizes, so sums are equal bit for bit in every run. Sums in arrays differ
// between CPUs and other devices, sums in numbers do not.
int64_t group_length(int64_t items, const ReducedArrays& arrays, bool few) {
  const int64_t wanted =
      arrays.bytes > 0 ? copies_of(arrays, items, few)
                       : std::max(std::clamp(items / kShortestGroup, kFewestGroups, kMostGroups),
                                  std::min(items / kLongGroup, kMostLongGroups));
  return std::max<int64_t>(1, (items + wanted - 1) / wanted);
}

int64_t count_of(const RegionArray& array, const uint64_t* slots) {
  int64_t count = 1;
  for (int32_t d = 0; d < array.ndim; ++d)
    count *= static_cast<int64_t>(slots[array.slot + 1 + static_cast<uint32_t>(d)]);
  return count;
}

// Whether the elements are in the order of a group's copy, without gaps.
bool is_packed(const RegionArray& array, const uint64_t* slots) {
  if (array.layout != 'A') return true;
  const uint64_t* shape = slots + array.slot + 1;
  auto step = static_cast<uint64_t>(array.item_bytes);
  for (int32_t d = array.ndim - 1; d >= 0; --d) {
    if (shape[d] > 1 && shape[array.ndim + d] != step) return false;
    step *= shape[d];
  }
  return true;
}

// The range has up to three dimensions. Further ones are merged into the first.
Range range_of(int dimensions, const int64_t* extents) {
  if (dimensions == 1) return {extents[0]};
  int64_t outer = 1;
  for (int d = 0; d + 2 < dimensions; ++d) outer *= extents[d];
  if (dimensions == 2) return {extents[0], extents[1]};
  return {outer, extents[dimensions - 2], extents[dimensions - 1]};
}

// At least `count` rows of `lanes` work-items, in work-groups of `rows`.
NdRange rows_of_lanes(int64_t rows, int64_t lanes, int64_t count = 1) {
  return {{(count + rows - 1) / rows * rows, lanes}, {rows, lanes}};
}

// Where the results of a region's reductions are written: to the host code's memory, through USM
// that the host can read if the device cannot access it.
class ReductionResults {
 public:
  ReductionResults(const RegionSource& source, const Queue& queue, uint64_t* slots)
      : source_(source), host_(slots + source.slots + 2 + source.reductions.size()) {
    if (runtime::shares_memory_with_host(queue)) return;
    const bool has_host = queue.device().has(Aspect::kUsmHostAllocations);
    shared_ = Memory(queue, source.reductions.size() * kStep,
                     has_host ? UsmType::kHost : UsmType::kShared);
    for (size_t i = 0; i < source.reductions.size(); ++i) {
      given_.push_back(host_[i]);
      host_[i] = reinterpret_cast<uint64_t>(at(i));
    }
  }
  void give_back() {
    for (size_t i = 0; i < given_.size(); ++i)
      std::memcpy(reinterpret_cast<void*>(given_[i]), at(i),
                  static_cast<size_t>(source_.reductions[i].bytes));
  }

 private:
  static constexpr size_t kStep = 64;
  char* at(size_t i) const { return static_cast<char*>(shared_.data()) + i * kStep; }

  const RegionSource& source_;
  uint64_t* const host_;
  std::vector<uint64_t> given_;
  Memory shared_;
};

// The attribute by which Numba's code promises that array arguments do not overlap.
constexpr std::string_view kPromise = " noalias";

// The same code without the promise; nothing if it had none.
std::optional<KernelSource> without_promise(KernelSource source) {
  bool found = false;
  for (std::string& text : source.module.code)
    for (size_t at = 0; (at = text.find("define ", at)) != std::string::npos; ++at) {
      if (at > 0 && text[at - 1] != '\n') continue;
      for (size_t word; (word = text.find(kPromise, at)) < text.find('\n', at); found = true)
        text.erase(word, kPromise.size());
    }
  source.key.clear();
  if (!found) return std::nullopt;
  return source;
}

bool writes_one_of_several(const std::vector<RegionArray>& arrays) {
  return arrays.size() > 1 && std::ranges::any_of(arrays, &RegionArray::written);
}

}  // namespace

Region::Region(RegionSource source) : source_(std::move(source)), body_({}, source_.body) {
  if (source_.dense) dense_.emplace(std::vector<uint64_t>(), *source_.dense);
  if (auto body = without_promise(source_.body); body && writes_one_of_several(source_.arrays)) {
    body_of_overlapping_.emplace(std::vector<uint64_t>(), std::move(*body));
    if (source_.dense)
      dense_of_overlapping_.emplace(std::vector<uint64_t>(), *without_promise(*source_.dense));
  }
  if (source_.total) total_.emplace(std::vector<uint64_t>(), *source_.total);
}

int64_t Region::iterations(const int64_t* extents) const noexcept {
  int64_t count = 1;
  for (int d = 0; d < source_.dimensions; ++d) count *= std::max<int64_t>(extents[d], 0);
  return count;
}

void Region::launch(const Queue& queue, const int64_t* extents, uint64_t* slots) {
  const int64_t items = iterations(extents);
  {
    std::lock_guard guard(mutex_);
    ++use_on(queue).launches;
  }
  std::vector<Memory> copies;
  if (items > 0 && source_.whole_arrays && arrays_overlap(slots)) copies = read_first(queue, slots);
  if (total_) return reduce(queue, items, slots);
  if (items == 0) return;
  if (source_.joined > 0 && arrays_overlap(slots)) return run_inner_in_order(queue, extents, slots);
  const Range range = source_.single_task ? Range(1) : range_of(source_.dimensions, extents);
  const int64_t team = source_.team;
  const Step step{&body_for(slots), team ? NdRange(items * team, team) : NdRange(range)};
  run(queue, slots, std::span(&step, 1));
}

Specialisation& Region::body_for(const uint64_t* slots) {
  const bool dense = dense_ && rows_are_dense(slots);
  if (body_of_overlapping_ && arrays_overlap(slots))
    return dense ? *dense_of_overlapping_ : *body_of_overlapping_;
  return dense ? *dense_ : body_;
}

// Whether rows are dense. Rows with other strides are rare, and are gathered element by element.
bool Region::rows_are_dense(const uint64_t* slots) const noexcept {
  return std::ranges::all_of(source_.arrays, [&](const RegionArray& a) {
    const uint64_t* shape = slots + a.slot + 1;
    return a.layout != 'A' || a.ndim == 0 ||
           static_cast<int64_t>(shape[2 * a.ndim - 1]) == a.item_bytes;
  });
}

bool Region::arrays_overlap(const uint64_t* slots) const noexcept {
  for (const RegionArray& written : source_.arrays) {
    if (!written.written) continue;
    const ArraySpan span = span_of(written, slots);
    for (const RegionArray& other : source_.arrays)
      if (&other != &written && span.overlaps(span_of(other, slots))) return true;
  }
  return false;
}

// Arrays that are written while other iterations read them through another view are read from
// copies, whose addresses replace the originals. Views that match element for element need no copy.
std::vector<Memory> Region::read_first(const Queue& queue, uint64_t* slots) const {
  std::vector<Memory> copies;
  const auto same = [&](const RegionArray& a, const RegionArray& b) {
    return slots[a.slot] == slots[b.slot] && a.ndim == b.ndim &&
           std::equal(slots + a.slot + 1, slots + a.slot + 1 + a.ndim, slots + b.slot + 1) &&
           strides_of(a, slots) == strides_of(b, slots);
  };
  std::vector<std::pair<uint32_t, uint64_t>> moved;
  for (const RegionArray& read : source_.arrays) {
    const ArraySpan span = span_of(read, slots);
    const bool changes = std::ranges::any_of(source_.arrays, [&](const RegionArray& a) {
      return a.written && span.overlaps(span_of(a, slots)) && !same(a, read);
    });
    if (read.written || !changes) continue;
    const auto bytes = static_cast<size_t>(span.high - span.low);
    const Memory& copy = copies.emplace_back(queue, bytes, UsmType::kDevice);
    queue.copy(copy.data(), span.low, bytes).wait();
    const auto data = reinterpret_cast<const char*>(slots[read.slot]);
    moved.emplace_back(read.slot, reinterpret_cast<uint64_t>(copy.data()) +
                                      static_cast<uint64_t>(data - span.low));
  }
  for (const auto& [slot, address] : moved) slots[slot] = address;
  return copies;
}

// Arrays overlap, so the iterations of the inner loops may depend on each other: each has a launch
// of its own, for all iterations of the outer loops.
void Region::run_inner_in_order(const Queue& queue, const int64_t* extents, uint64_t* slots) {
  const int outer = source_.dimensions - source_.joined;
  std::vector<int64_t> one(extents, extents + source_.dimensions);
  std::fill(one.begin() + outer, one.end(), 1);
  uint64_t* starts = slots + source_.starts_of_joined;
  const std::vector<uint64_t> first(starts, starts + source_.joined);
  int64_t count = 1;
  for (int d = outer; d < source_.dimensions; ++d) count *= extents[d];
  std::ranges::copy(one, slots);  // the first arguments are the extents
  const int64_t team = source_.team;
  const Range range = range_of(source_.dimensions, one.data());
  const Step step{&body_for(slots), team ? NdRange(range.items() * team, team) : NdRange(range)};
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i;
    for (int d = source_.joined - 1; d >= 0; --d) {
      starts[d] = first[static_cast<size_t>(d)] + static_cast<uint64_t>(rest % extents[outer + d]);
      rest /= extents[outer + d];
    }
    run(queue, slots, std::span(&step, 1));
  }
}

void Region::reduce(const Queue& queue, int64_t items, uint64_t* slots) {
  std::vector<int64_t> item_bytes;  // sizes of the reduction variables
  ReducedArrays arrays;
  int64_t largest = 1;
  for (const RegionReduction& r : source_.reductions) {
    item_bytes.push_back(r.bytes);
    if (r.array < 0) continue;
    const RegionArray& array = source_.arrays[static_cast<size_t>(r.array)];
    const int64_t count = count_of(array, slots);
    largest = std::max(largest, count);
    item_bytes.back() = std::max<int64_t>(1, count * array.item_bytes);
    arrays.bytes += item_bytes.back();
    arrays.elements += count;
  }
  const bool few = queue.device().has(Aspect::kCpu) && !source_.is_long;
  const int64_t length =
      source_.single_task ? std::max<int64_t>(items, 1) : group_length(items, arrays, few);
  const int64_t groups = (items + length - 1) / length;
  slots[source_.slots] = static_cast<uint64_t>(length);
  slots[source_.slots + 1] = static_cast<uint64_t>(groups);
  const std::optional<Memory> partials = place_partials(queue, groups, item_bytes, slots);
  ReductionResults results(source_, queue, slots);
  const int64_t lanes = source_.lanes;
  std::vector<Step> steps;
  if (lanes == 1) {
    // The first dimension is the group, so that a thread can take a single group.
    if (groups > 0) steps.push_back({&body_for(slots), Range(groups, 1)});
    if (partials) steps.push_back({&*total_, Range(largest)});
  } else {
    if (groups > 0) steps.push_back({&body_for(slots), rows_of_lanes(kRows, lanes, groups)});
    steps.push_back({&*total_, rows_of_lanes(1, lanes)});
  }
  run(queue, slots, steps);
  results.give_back();
}

// Allocates the partial results, and puts their addresses into the slots. A single group updates
// arrays in place: their partial results are the arrays themselves. Without value if there are no
// other ones, so that nothing has to be combined.
std::optional<Memory> Region::place_partials(const Queue& queue, int64_t groups,
                                             std::span<const int64_t> item_bytes,
                                             uint64_t* slots) const {
  uint64_t* addresses = slots + source_.slots + 2;
  int64_t bytes = 0;
  std::vector<std::pair<uint64_t*, int64_t>> offsets;
  for (size_t i = 0; i < item_bytes.size(); ++i) {
    const int32_t index = source_.reductions[i].array;
    const RegionArray* array = index < 0 ? nullptr : &source_.arrays[static_cast<size_t>(index)];
    if (array && groups <= 1 && is_packed(*array, slots)) {
      addresses[i] = slots[array->slot];
      continue;
    }
    offsets.emplace_back(addresses + i, bytes);
    bytes += (groups * item_bytes[i] + 63) / 64 * 64;
  }
  if (offsets.empty()) return std::nullopt;
  Memory memory(queue, static_cast<size_t>(bytes), UsmType::kDevice);
  for (const auto& [slot, offset] : offsets)
    *slot = reinterpret_cast<uint64_t>(static_cast<char*>(memory.data()) + offset);
  return memory;
}

void Region::compile_for(const Queue& queue) {
  const int64_t lanes = source_.lanes;
  if (lanes > 1) {
    body_.kernel_for(queue, rows_of_lanes(kRows, lanes));
    if (dense_) dense_->kernel_for(queue, rows_of_lanes(kRows, lanes));
    total_->kernel_for(queue, rows_of_lanes(1, lanes));
    return;
  }
  body_.kernel_for(queue);
  if (dense_) dense_->kernel_for(queue);
  if (total_) total_->kernel_for(queue);
}

RegionUse& Region::use_on(const Queue& queue) {
  for (RegionUse& use : uses_)
    if (use.device == queue.device()) return use;
  return uses_.emplace_back(RegionUse{.device = queue.device()});
}

void Region::note_moved(const Queue& queue, int64_t to_device, int64_t to_host) {
  std::lock_guard guard(mutex_);
  RegionUse& use = use_on(queue);
  use.bytes_to_device += to_device;
  use.bytes_to_host += to_host;
}

std::vector<RegionUse> Region::uses() const {
  std::lock_guard guard(mutex_);
  return uses_;
}

// Each step runs after the one before it. The memory that they use may be released when this
// returns or throws.
void Region::run(const Queue& queue, const uint64_t* slots, std::span<const Step> steps) {
  std::vector<std::shared_ptr<const LoadedKernel>> loaded;
  for (const Step& step : steps) loaded.push_back(step.kernel->kernel_for(queue, step.range));
  std::vector<Event> events;
  events.reserve(steps.size());
  uint64_t start = profiling::ticks();
  try {
    for (size_t i = 0; i < steps.size(); ++i) {
      const size_t bytes = steps[i].kernel->source().module.signature.packed_bytes();
      const profiling::KernelNaming naming(source_.name);
      const std::span<const Event> after(events.data() + i - (i > 0), i > 0);
      events.push_back(queue.submit(loaded[i]->kernel, steps[i].range,
                                    {reinterpret_cast<const std::byte*>(slots), bytes}, after));
    }
  } catch (...) {
    for (const Event& event : events) (void)event.wait_for_error();
    throw;
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    if (events[i].wait_for_error()) continue;
    const bool first = !loaded[i]->launched.exchange(true, std::memory_order_relaxed);
    profiling::record_launch({source_.name, loaded[i]->device, first ? loaded[i]->source : "memory",
                              first ? loaded[i]->compile_seconds : 0},
                             steps[i].range.global.items(), 0, profiling::ticks() - start);
    start = profiling::ticks();
  }
  for (const Event& event : events) event.wait();  // raises the first error
}

Region& register_region(int64_t id, RegionSource source) {
  auto region = std::make_unique<Region>(std::move(source));
  std::lock_guard guard(registry().mutex);
  const auto [place, is_new] = registry().regions.try_emplace(id, nullptr);
  if (is_new)
    place->second = std::move(region);
  else if (place->second->source().digest != region->source().digest)
    throw Error(ErrorKind::kCompile, region->source().name,
                fmt::format("has the hash of {}, another region of the program",
                            place->second->source().name));
  return *place->second;
}

Region* find_region(int64_t id) {
  std::lock_guard guard(registry().mutex);
  const auto found = registry().regions.find(id);
  return found == registry().regions.end() ? nullptr : found->second.get();
}

}  // namespace hither::launch
