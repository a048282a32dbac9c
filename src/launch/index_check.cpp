#include "launch/index_check.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

#include <hither/memory.h>

#include "launch/offload_call.h"

namespace hither::launch {
namespace {

// If the axis has more than this many elements per index, the indices are sorted instead of marked
// in a bitmap.
constexpr int64_t kSparse = 64;

template <typename T>
int64_t read(const char* at) noexcept {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return static_cast<int64_t>(value);
}

// Values of 2^63 and more are out of range, as INT64_MAX is.
int64_t read_clamped(const char* at) noexcept {
  const int64_t value = read<int64_t>(at);
  return value < 0 ? INT64_MAX : value;
}

using Reader = int64_t (*)(const char*) noexcept;

Reader reader_of(int32_t item_bytes) noexcept {
  switch (item_bytes) {
    case -1:
      return read<int8_t>;
    case -2:
      return read<int16_t>;
    case -4:
      return read<int32_t>;
    case 1:
      return read<uint8_t>;
    case 2:
      return read<uint16_t>;
    case 4:
      return read<uint32_t>;
    case 8:
      return read_clamped;
    default:
      return read<int64_t>;
  }
}

// The elements at an address that the host can read. `copy` holds them if only the device can
// access them.
const char* on_host(const IndexArray& indices, std::vector<char>& copy) {
  const Queue& queue = OffloadCall::current_queue();
  const auto known = pointer_info(indices.data, queue.context());
  if (!known || known->type != UsmType::kDevice) return indices.data;
  const int64_t width = std::abs(indices.item_bytes);
  const int64_t last = (indices.size - 1) * indices.stride;
  const char* low = indices.data + std::min<int64_t>(last, 0);
  copy.resize(static_cast<size_t>(std::abs(last) + width));
  queue.copy(copy.data(), low, copy.size()).wait();
  return copy.data() + (indices.data - low);
}

bool is_twice_in(std::vector<int64_t> found) {
  std::ranges::sort(found);
  return std::ranges::adjacent_find(found) != found.end();
}

// Calls `use` with each element, as an index counted from 0, until it returns true. Returns whether
// it did, or whether an element is out of range.
template <typename Use>
bool any_of(const IndexArray& indices, const char* data, const IndexSequence& elements,
            int64_t extent, Use use) {
  const Reader read_item = reader_of(indices.item_bytes);
  int64_t at = elements.first;
  for (int64_t k = 0; k < elements.count; ++k, at += elements.step) {
    const int64_t place = at < 0 ? at + indices.size : at;
    if (place < 0 || place >= indices.size) return true;
    int64_t index = read_item(data + place * indices.stride);
    if (index < 0) index += extent;
    if (index < 0 || index >= extent || use(static_cast<size_t>(index))) return true;
  }
  return false;
}

bool may_repeat(const IndexArray& indices, const IndexSequence& elements, int64_t extent) {
  if (elements.count < 2) return false;
  if (elements.count > extent) return true;
  OffloadCall::flush_arrays();  // the function may have written the indices
  std::vector<char> copy;
  const char* const data = on_host(indices, copy);
  if (extent / kSparse > elements.count) {
    std::vector<int64_t> found;
    const auto keep = [&](size_t index) { return found.push_back(int64_t(index)), false; };
    return any_of(indices, data, elements, extent, keep) || is_twice_in(std::move(found));
  }
  std::vector<uint64_t> marks(static_cast<size_t>(extent) / 64 + 1);
  return any_of(indices, data, elements, extent, [&](size_t index) {
    const uint64_t bit = uint64_t{1} << (index % 64);
    const bool known = (marks[index / 64] & bit) != 0;
    marks[index / 64] |= bit;
    return known;
  });
}

}  // namespace

bool indices_may_repeat(const IndexArray& indices, const IndexSequence& elements,
                        int64_t extent) noexcept {
  try {
    return may_repeat(indices, elements, extent);
  } catch (const std::exception&) {
    return true;  // no memory for the marks, or a failed copy, which the launch will report
  }
}

}  // namespace hither::launch
