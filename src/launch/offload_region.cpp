#include "launch/offload_region.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include <fmt/format.h>
#include <hither/memory.h>

#include "array/history.h"
#include "counting/counter.h"

namespace hither::launch {
namespace {

constexpr int64_t kMostGroups = 1024;
constexpr int64_t kFewestGroups = 64;
constexpr int64_t kShortestGroup = 128;

struct Registry {
  std::mutex mutex;
  std::unordered_map<int64_t, std::unique_ptr<Region>> regions;
};

Registry& registry() {
  static auto* instance = new Registry;  // host code may run until the process ends
  return *instance;
}

// How `items` are cut into groups. It depends on their number alone, so that sums come out the
// same, bit for bit, on every device and every time.
int64_t group_length(int64_t items, bool whole_arrays) {
  const int64_t wanted =
      whole_arrays ? kFewestGroups
                   : std::clamp(items / kShortestGroup, kFewestGroups, kMostGroups);
  return std::max<int64_t>(1, (items + wanted - 1) / wanted);
}

int64_t count_of(const RegionArray& array, const uint64_t* slots) {
  int64_t count = 1;
  for (int32_t d = 0; d < array.ndim; ++d)
    count *= static_cast<int64_t>(slots[array.slot + 1 + static_cast<uint32_t>(d)]);
  return count;
}

// Up to three dimensions are those of the range; further ones are merged into the first.
Range range_of(int dimensions, const int64_t* extents) {
  if (dimensions == 1) return {extents[0]};
  int64_t outer = 1;
  for (int d = 0; d + 2 < dimensions; ++d) outer *= extents[d];
  if (dimensions == 2) return {extents[0], extents[1]};
  return {outer, extents[dimensions - 2], extents[dimensions - 1]};
}

}  // namespace

Region::Region(RegionSource source) : source_(std::move(source)), body_({}, source_.body) {
  if (source_.total) total_.emplace(std::vector<uint64_t>(), *source_.total);
}

void Region::launch(const Queue& queue, const int64_t* extents, uint64_t* slots) {
  int64_t items = 1;
  for (int d = 0; d < source_.dimensions; ++d) items *= std::max<int64_t>(extents[d], 0);
  counting::count(counting::Counter::kOffloadedRegions);
  if (total_) return reduce(queue, items, slots);
  if (items > 0) submit(body_, queue, range_of(source_.dimensions, extents), slots);
}

void Region::reduce(const Queue& queue, int64_t items, uint64_t* slots) {
  const bool whole_arrays =
      std::ranges::any_of(source_.reductions, [](const auto& r) { return r.array >= 0; });
  const int64_t length = group_length(items, whole_arrays);
  const int64_t groups = (items + length - 1) / length;
  slots[source_.slots] = static_cast<uint64_t>(length);
  slots[source_.slots + 1] = static_cast<uint64_t>(groups);
  int64_t bytes = 0, largest = 1;
  std::vector<int64_t> offsets;
  for (const RegionReduction& r : source_.reductions) {
    offsets.push_back(bytes);
    int64_t item = r.bytes;
    if (r.array >= 0) {
      const RegionArray& array = source_.arrays[static_cast<size_t>(r.array)];
      const int64_t count = count_of(array, slots);
      largest = std::max(largest, count);
      item = count * array.item_bytes;
    }
    bytes += (groups * item + 63) / 64 * 64;
  }
  const Memory partials(queue, static_cast<size_t>(bytes), UsmType::kDevice);
  for (size_t i = 0; i < offsets.size(); ++i)
    slots[source_.slots + 2 + i] =
        reinterpret_cast<uint64_t>(static_cast<char*>(partials.data()) + offsets[i]);
  // A dimension of its own, so that a thread may take a single group.
  if (groups > 0) submit(body_, queue, Range(groups, 1), slots);
  submit(*total_, queue, Range(largest), slots);
}

void Region::submit(Specialisation& kernel, const Queue& queue, const NdRange& range,
                    const uint64_t* slots) {
  const auto loaded = kernel.kernel_for(queue, range);
  const size_t bytes = kernel.source().module.signature.packed_bytes();
  const uint64_t start = array::ticks();
  const Event event =
      queue.submit(loaded->kernel, range, {reinterpret_cast<const std::byte*>(slots), bytes});
  event.wait();
  const bool first = !loaded->launched.exchange(true, std::memory_order_relaxed);
  array::record({loaded->kernel, source_.name, loaded->device, first ? loaded->source : "memory",
                 first ? loaded->compile_seconds : 0},
                range.global.items(), 0, array::ticks() - start);
}

void register_region(int64_t id, RegionSource source) {
  auto region = std::make_unique<Region>(std::move(source));
  std::lock_guard guard(registry().mutex);
  registry().regions.try_emplace(id, std::move(region));
}

Region* find_region(int64_t id) {
  std::lock_guard guard(registry().mutex);
  const auto found = registry().regions.find(id);
  return found == registry().regions.end() ? nullptr : found->second.get();
}

}  // namespace hither::launch
