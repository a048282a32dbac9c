// Highway includes this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "drivers/native_cpu/row_network.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "drivers/native_cpu/row_network.h"

HWY_BEFORE_NAMESPACE();
namespace hither::drivers::native_cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Item>
void exchange(Item* items, const Exchange* network, size_t count) {
  constexpr size_t kRows = kRowsAtOnce<Item>;
  const hn::CappedTag<Item, kRows> d;
  for (size_t e = 0; e < count; ++e) {
    Item* low = items + network[e].low * kRows;
    Item* high = items + network[e].high * kRows;
    for (size_t r = 0; r < kRows; r += hn::Lanes(d)) {
      const auto x = hn::Load(d, low + r), y = hn::Load(d, high + r);
      hn::Store(hn::Min(x, y), d, low + r);
      hn::Store(hn::Max(x, y), d, high + r);
    }
  }
}

void exchange_8(uint8_t* items, const Exchange* network, size_t count) {
  exchange(items, network, count);
}
void exchange_16(uint16_t* items, const Exchange* network, size_t count) {
  exchange(items, network, count);
}
void exchange_32(uint32_t* items, const Exchange* network, size_t count) {
  exchange(items, network, count);
}
void exchange_64(int64_t* items, const Exchange* network, size_t count) {
  exchange(items, network, count);
}

void exchange_pairs(int64_t* keys, int64_t* indices, const Exchange* network, size_t count) {
  constexpr size_t kRows = kRowsAtOnce<int64_t>;
  const hn::CappedTag<int64_t, kRows> d;
  for (size_t e = 0; e < count; ++e) {
    const size_t low = network[e].low * kRows, high = network[e].high * kRows;
    for (size_t r = 0; r < kRows; r += hn::Lanes(d)) {
      const auto x = hn::Load(d, keys + low + r), y = hn::Load(d, keys + high + r);
      const auto i = hn::Load(d, indices + low + r), j = hn::Load(d, indices + high + r);
      const auto swap = hn::Or(hn::Gt(x, y), hn::And(hn::Eq(x, y), hn::Gt(i, j)));
      hn::Store(hn::IfThenElse(swap, y, x), d, keys + low + r);
      hn::Store(hn::IfThenElse(swap, x, y), d, keys + high + r);
      hn::Store(hn::IfThenElse(swap, j, i), d, indices + low + r);
      hn::Store(hn::IfThenElse(swap, i, j), d, indices + high + r);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace hither::drivers::native_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <array>
#include <bit>
#include <mutex>

namespace hither::drivers::native_cpu {

HWY_EXPORT(exchange_8);
HWY_EXPORT(exchange_16);
HWY_EXPORT(exchange_32);
HWY_EXPORT(exchange_64);
HWY_EXPORT(exchange_pairs);

namespace {

std::vector<Exchange> exchanges_of(int64_t length) {
  std::vector<Exchange> network;
  const auto top = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(length)) / 2);
  for (int64_t p = top; p > 0; p /= 2) {
    int64_t distance = p, residue = 0;
    for (int64_t q = top;; q /= 2) {
      for (int64_t i = 0; i + distance < length; ++i)
        if ((i & p) == residue)
          network.push_back({static_cast<uint16_t>(i), static_cast<uint16_t>(i + distance)});
      if (q == p) break;
      distance = q - p;
      residue = p;
    }
  }
  return network;
}

}  // namespace

const std::vector<Exchange>& sorting_network(int64_t length) {
  static std::mutex mutex;
  static std::array<std::vector<Exchange>, kLongestInNetwork + 1> networks;
  const std::lock_guard lock(mutex);
  std::vector<Exchange>& network = networks.at(static_cast<size_t>(length));
  if (network.empty()) network = exchanges_of(length);
  return network;
}

void sort_rows(uint8_t* items, const std::vector<Exchange>& network) {
  HWY_DYNAMIC_DISPATCH(exchange_8)(items, network.data(), network.size());
}

void sort_rows(uint16_t* items, const std::vector<Exchange>& network) {
  HWY_DYNAMIC_DISPATCH(exchange_16)(items, network.data(), network.size());
}

void sort_rows(uint32_t* items, const std::vector<Exchange>& network) {
  HWY_DYNAMIC_DISPATCH(exchange_32)(items, network.data(), network.size());
}

void sort_rows(int64_t* items, const std::vector<Exchange>& network) {
  HWY_DYNAMIC_DISPATCH(exchange_64)(items, network.data(), network.size());
}

void sort_rows(int64_t* keys, int64_t* indices, const std::vector<Exchange>& network) {
  HWY_DYNAMIC_DISPATCH(exchange_pairs)(keys, indices, network.data(), network.size());
}

}  // namespace hither::drivers::native_cpu
#endif
