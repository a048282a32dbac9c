#include "launch/region_array.h"

#include <bit>
#include <cstddef>

namespace hither::launch {

ArraySpan span_of(const RegionArray& array, const uint64_t* slots) noexcept {
  auto* data = std::bit_cast<char*>(slots[array.slot]);
  const uint64_t* shape = slots + array.slot + 1;
  char *low = data, *high = data + array.item_bytes;
  int64_t step = array.item_bytes;
  for (int32_t d = array.ndim - 1; d >= 0; --d) {
    const auto extent = static_cast<int64_t>(shape[d]);
    if (extent == 0) return {data, data};
    const auto stride = array.layout == 'C' ? step : static_cast<int64_t>(shape[array.ndim + d]);
    (stride < 0 ? low : high) += (extent - 1) * stride;
    step *= extent;
  }
  return {low, high};
}

std::vector<int64_t> strides_of(const RegionArray& array, const uint64_t* slots) {
  const uint64_t* shape = slots + array.slot + 1;
  std::vector<int64_t> strides(static_cast<size_t>(array.ndim));
  int64_t step = array.item_bytes;
  for (int32_t d = array.ndim - 1; d >= 0; --d) {
    strides[static_cast<size_t>(d)] =
        array.layout == 'C' ? step : static_cast<int64_t>(shape[array.ndim + d]);
    step *= static_cast<int64_t>(shape[d]);
  }
  return strides;
}

}  // namespace hither::launch
