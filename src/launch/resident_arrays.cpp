#include "launch/resident_arrays.h"

#include <algorithm>

namespace hither::launch {
namespace {

// The bytes that are to be moved; none when the array's memory is known to the device.
ArraySpan moved_for(const RegionArray& array, const uint64_t* slots, const Queue& queue) {
  const ArraySpan span = span_of(array, slots);
  if (span.low < span.high && pointer_info(span.low, queue.context())) return {span.low, span.low};
  return span;
}

}  // namespace

std::vector<ResidentArrays::Area> ResidentArrays::areas_of(const Region& region, const Queue& queue,
                                                           const uint64_t* slots) {
  std::vector<Area> areas;
  for (const RegionArray& array : region.source().arrays)
    if (const ArraySpan t = moved_for(array, slots, queue); t.low < t.high)
      areas.push_back({t.low, t.high});
  std::ranges::sort(areas, {}, &Area::low);
  size_t merged = 0;
  for (const Area& area : areas) {
    if (merged > 0 && area.low < areas[merged - 1].high)
      areas[merged - 1].high = std::max(areas[merged - 1].high, area.high);
    else
      areas[merged++] = area;
  }
  areas.resize(merged);
  return areas;
}

ResidentArrays::Resident& ResidentArrays::resident_for(const Area& area, Region& region,
                                                       const Queue& queue) {
  for (Resident& r : residents_)
    if (r.low <= area.low && area.high <= r.high()) return r;
  std::erase_if(residents_, [&](const Resident& r) {
    if (r.high() <= area.low || area.high <= r.low) return false;
    copy_back(r, queue);
    return true;
  });
  Resident made{.low = area.low, .bytes = static_cast<size_t>(area.high - area.low), .memory = {}};
  made.memory = Memory(queue, made.lead() + made.bytes, UsmType::kDevice);
  queue.copy(made.data(), made.low, made.bytes).wait();
  region.note_moved(queue, static_cast<int64_t>(made.bytes), 0);
  return residents_.emplace_back(std::move(made));
}

void ResidentArrays::stage(Region& region, const Queue& queue, uint64_t* slots) {
  for (const Area& area : areas_of(region, queue, slots)) resident_for(area, region, queue);
  for (const RegionArray& array : region.source().arrays) {
    const ArraySpan t = moved_for(array, slots, queue);
    if (t.low == t.high) continue;
    Resident& resident = resident_for({t.low, t.high}, region, queue);
    const auto* data = reinterpret_cast<char*>(slots[array.slot]);
    slots[array.slot] = reinterpret_cast<uint64_t>(resident.data() + (data - resident.low));
    if (array.written) resident.writer = &region;
  }
}

void ResidentArrays::copy_back(const Resident& resident, const Queue& queue) {
  if (!resident.writer) return;
  queue.copy(resident.low, resident.data(), resident.bytes).wait();
  resident.writer->note_moved(queue, 0, static_cast<int64_t>(resident.bytes));
}

void ResidentArrays::flush(const Queue& queue) {
  for (const Resident& resident : residents_) copy_back(resident, queue);
  residents_.clear();
}

}  // namespace hither::launch
