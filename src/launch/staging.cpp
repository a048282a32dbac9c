#include "launch/staging.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include <hither/strides.h>

#include "array/strided_copy.h"

namespace hither::launch {
namespace {

struct Span {
  char* low;
  char* high;
  size_t argument;
};

// The bytes that an array covers; empty for empty arrays.
Span span_of(const Argument& a, size_t argument) {
  auto* data = static_cast<char*>(a.data);
  char *low = data, *high = data + a.item_bytes();
  if (a.shape->product() == 0) return {data, data, argument};
  for (int d = 0; d < a.shape->size(); ++d) {
    const int64_t reach = ((*a.shape)[d] - 1) * (*a.strides)[d];
    (reach < 0 ? low : high) += reach;
  }
  return {low, high, argument};
}

size_t packed_bytes(const Argument& a) {
  return static_cast<size_t>(a.shape->product() * a.item_bytes());
}

// Whether two arguments are the same array, which needs only one packed copy.
bool same_array(const Argument& a, const Argument& b) {
  return a.data == b.data && a.dtype == b.dtype && a.record == b.record && *a.shape == *b.shape &&
         *a.strides == *b.strides;
}

}  // namespace

HostStaging::HostStaging(std::span<const Argument> arguments, const Queue& queue)
    : host_(arguments),
      queue_(queue),
      staged_(arguments.begin(), arguments.end()),
      places_(arguments.size()) {
  make_areas(arguments);
}

void HostStaging::make_areas(std::span<const Argument> arguments) {
  std::vector<Span> spans;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].kind == ArgumentKind::kHost) spans.push_back(span_of(arguments[i], i));
  std::ranges::sort(spans, {}, [](const Span& s) { return reinterpret_cast<uintptr_t>(s.low); });
  for (size_t i = 0; i < spans.size();) {
    char* high = spans[i].high;
    size_t end = i + 1;
    for (; end < spans.size() && spans[end].low < high; ++end)
      high = std::max(high, spans[end].high);
    const Argument& first = arguments[spans[i].argument];
    const bool packed = std::ranges::all_of(
        std::span(spans).subspan(i, end - i),
        [&](const Span& s) { return same_array(arguments[s.argument], first); });
    Area area{spans[i].low, packed ? packed_bytes(first) : static_cast<size_t>(high - spans[i].low),
              packed, spans[i].argument, Memory()};
    // Unpacked areas keep the alignment that they have on the host.
    if (!packed) area.lead = reinterpret_cast<uintptr_t>(area.low) % 64;
    area.memory = Memory(queue_, area.lead + area.bytes, UsmType::kShared);
    areas_.push_back(std::move(area));
    for (; i < end; ++i) stage(spans[i].argument, arguments[spans[i].argument], areas_.size() - 1);
  }
}

void HostStaging::stage(size_t argument, const Argument& host, size_t area) {
  const Area& in = areas_[area];
  Place& place = places_[argument];
  place.area = area;
  place.strides = in.packed ? contiguous_strides(*host.shape, host.item_bytes()) : *host.strides;
  Argument& staged = staged_[argument];
  staged.data = in.packed ? in.start() : in.start() + (static_cast<char*>(host.data) - in.low);
  staged.strides = &place.strides;
}

void HostStaging::copy_in(std::span<const Event> depends_on) {
  std::vector<std::vector<char>> gathered;
  std::vector<Event> copies;
  for (const Area& area : areas_) {
    const Argument& host = host_[area.first];
    const void* from = area.packed ? host.data : area.low;
    if (area.packed && !is_contiguous(*host.shape, *host.strides, host.item_bytes())) {
      auto& packed = gathered.emplace_back(area.bytes);
      array::strided_copy(packed.data(), places_[area.first].strides, host.data, *host.strides,
                          *host.shape, host.item_bytes());
      from = packed.data();
    }
    if (area.bytes > 0) copies.push_back(queue_.copy(area.start(), from, area.bytes, depends_on));
  }
  for (const Event& copy : copies) copy.wait();
}

void HostStaging::copy_out(size_t argument) { areas_[places_[argument].area].written = true; }

void HostStaging::finish() {
  for (const Area& area : areas_) {
    if (!area.written || area.bytes == 0) continue;
    const Argument& host = host_[area.first];
    if (area.packed && !is_contiguous(*host.shape, *host.strides, host.item_bytes())) {
      std::vector<char> packed(area.bytes);
      queue_.copy(packed.data(), area.start(), area.bytes).wait();
      array::strided_copy(host.data, *host.strides, packed.data(), places_[area.first].strides,
                          *host.shape, host.item_bytes());
    } else {
      queue_.copy(area.packed ? host.data : area.low, area.start(), area.bytes).wait();
    }
  }
}

}  // namespace hither::launch
