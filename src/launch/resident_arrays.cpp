#include "launch/resident_arrays.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace hither::launch {
namespace {

// The bytes that have to be copied; none when the device can access the array's memory.
ArraySpan moved_for(const RegionArray& array, const uint64_t* slots, const Queue& queue) {
  const ArraySpan span = span_of(array, slots);
  if (span.low < span.high && pointer_info(span.low, queue.context())) return {span.low, span.low};
  return span;
}

// Copies the elements of an array from `from` to `to`, which have the same strides.
void scatter(char* to, const char* from, std::span<const int64_t> extents,
             std::span<const int64_t> strides, size_t item_bytes) {
  if (extents.empty()) {
    std::memcpy(to, from, item_bytes);
    return;
  }
  for (int64_t i = 0; i < extents[0]; ++i)
    scatter(to + i * strides[0], from + i * strides[0], extents.subspan(1), strides.subspan(1),
            item_bytes);
}

}  // namespace

bool ResidentArrays::Written::is_dense() const noexcept {
  int64_t bytes = item_bytes;
  for (int64_t extent : extents) bytes *= extent;
  return bytes == span.high - span.low;
}

// The separate areas that have to be resident: arrays of the region that overlap, merged with
// resident areas that they overlap.
std::vector<ResidentArrays::Area> ResidentArrays::areas_of(const Region& region, const Queue& queue,
                                                           const uint64_t* slots) const {
  std::vector<Area> areas;
  for (const RegionArray& array : region.source().arrays)
    if (const ArraySpan t = moved_for(array, slots, queue); t.low < t.high)
      areas.push_back({t.low, t.high});
  for (const Resident& r : residents_) areas.push_back({r.low, r.high()});
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

void ResidentArrays::make_resident(const Area& area, Region& region, const Queue& queue) {
  for (const Resident& r : residents_)
    if (r.low <= area.low && area.high <= r.high()) return;
  std::erase_if(residents_, [&](const Resident& r) {
    if (r.high() <= area.low || area.high <= r.low) return false;
    copy_back(r, queue);
    return true;
  });
  Resident made{.low = area.low, .bytes = static_cast<size_t>(area.high - area.low), .memory = {}};
  made.memory = Memory(queue, made.lead() + made.bytes, UsmType::kDevice);
  queue.copy(made.data(), made.low, made.bytes).wait();
  region.note_moved(queue, static_cast<int64_t>(made.bytes), 0);
  residents_.push_back(std::move(made));
}

bool ResidentArrays::stage(Region& region, const Queue& queue, uint64_t* slots) {
  for (const Area& area : areas_of(region, queue, slots)) make_resident(area, region, queue);
  bool outlive = true;
  for (const RegionArray& array : region.source().arrays) {
    const ArraySpan t = moved_for(array, slots, queue);
    if (t.low == t.high) continue;
    Resident& resident = *std::ranges::find_if(
        residents_, [&](const Resident& r) { return r.low <= t.low && t.high <= r.high(); });
    auto* const data = reinterpret_cast<char*>(slots[array.slot]);
    if (array.written) {
      outlive = outlive && array.outlives;
      Written written{data, {}, strides_of(array, slots), array.item_bytes, t, &region};
      for (int32_t d = 0; d < array.ndim; ++d)
        written.extents.push_back(static_cast<int64_t>(slots[array.slot + 1 + d]));
      if (std::ranges::find(resident.written, written) == resident.written.end())
        resident.written.push_back(std::move(written));
    }
    slots[array.slot] = reinterpret_cast<uint64_t>(resident.data() + (data - resident.low));
  }
  return outlive;
}

void ResidentArrays::copy_back(const Resident& resident, const Queue& queue) {
  for (const Written& w : resident.written) {
    const auto bytes = static_cast<size_t>(w.span.high - w.span.low);
    const char* const source = resident.data() + (w.span.low - resident.low);
    if (w.is_dense()) {
      queue.copy(w.span.low, source, bytes).wait();
    } else {
      const std::unique_ptr<char[]> copy(new char[bytes]);
      queue.copy(copy.get(), source, bytes).wait();
      scatter(w.data, copy.get() + (w.data - w.span.low), w.extents, w.strides,
              static_cast<size_t>(w.item_bytes));
    }
    w.writer->note_moved(queue, 0, static_cast<int64_t>(bytes));
  }
}

void ResidentArrays::flush(const Queue& queue) {
  // Also dropped when a copy fails. The caller handles that error.
  const std::vector<Resident> residents = std::exchange(residents_, {});
  for (const Resident& resident : residents) copy_back(resident, queue);
}

}  // namespace hither::launch
