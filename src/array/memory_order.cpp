#include "array/memory_order.h"

#include <algorithm>
#include <numeric>

#include <hither/manipulate.h>

namespace hither::array {

std::optional<Dims> memory_order(const Layout& layout) {
  if (layout.contiguous) return std::nullopt;
  Dims order(layout.shape.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int64_t a, int64_t b) {
    const int x = static_cast<int>(a), y = static_cast<int>(b);
    const bool ones[2] = {layout.shape[x] == 1, layout.shape[y] == 1};
    if (ones[0] || ones[1]) return !ones[0] && ones[1];
    return layout.strides[x] > layout.strides[y];
  };
  std::stable_sort(order.begin(), order.end(), before);
  Dims shape, strides;
  for (int64_t d : order) {
    shape.push_back(layout.shape[static_cast<int>(d)]);
    strides.push_back(layout.strides[static_cast<int>(d)]);
  }
  if (!is_contiguous(shape, strides)) return std::nullopt;
  return order;
}

std::optional<Dims> common_order(std::span<const Operand> operands) {
  const Array* first = nullptr;
  for (const Operand& o : operands)
    if (o.is_array() && !o.array().is_c_contiguous() &&
        (!first || o.array().size() > first->size()))
      first = &o.array();
  if (!first) return std::nullopt;
  auto order = memory_order(*first->layout());
  for (const Operand& o : operands) {
    if (!order) break;
    if (!o.is_array()) continue;
    const Array& x = o.array();
    if (x.shape() == first->shape()) {
      if (!(memory_order(*x.layout()) == order)) order.reset();
    } else if (x.size() >= first->size() || x.ndim() > first->ndim()) {
      order.reset();
    } else {
      for (int d = 0; d < x.ndim(); ++d) {
        const int64_t extent = first->shape()[d + first->ndim() - x.ndim()];
        if (x.shape()[d] != 1 && x.shape()[d] != extent) return std::nullopt;
      }
    }
  }
  return order;
}

Array in_order(const Array& x, const Dims& order) { return permute_dims(x, order); }

Array from_order(const Array& x, const Dims& order) {
  Dims back(order.size(), 0);
  for (int i = 0; i < order.size(); ++i) back[static_cast<int>(order[i])] = i;
  return permute_dims(x, back);
}

}  // namespace hither::array
