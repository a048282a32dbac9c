// Views: new layouts of the same storage.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "array/graph/value.h"
#include "array/placed.h"

namespace hither {

using namespace array;

Array strided_view(const Array& x, const Dims& shape, const Dims& strides, int64_t offset) {
  LayoutRef layout =
      make_layout(x.queue(), shape, strides, x.layout()->offset + offset, x.layout()->read_only);
  if (layout->size > 0) {
    const auto inside =
        reach_of(x.shape(), x.strides(), 1, 1);  // the elements of a layout are within bounds
    const auto wanted = reach_of(shape, strides, 1, 1);
    int64_t low, high;
    if (!wanted || __builtin_add_overflow(wanted->low, offset, &low) ||
        __builtin_add_overflow(wanted->high, offset, &high) || low < inside->low ||
        high > inside->high)
      throw Error(ErrorKind::kIndex, "strided_view",
                  fmt::format("shape {}, strides {} and offset {} reach outside the array's "
                              "elements {} to {}",
                              shape_text(shape), shape_text(strides), offset, inside->low,
                              inside->high - 1));
  }
  return Array(x.storage(), std::move(layout), x.dtype());
}

Array base_of(const Array& x) {
  const Layout& part = *x.layout();
  const Layout& all = *x.storage()->present().layout;
  if (part.shape == all.shape && part.strides == all.strides && part.offset == all.offset)
    return {};
  return Array(x.storage(), make_layout(x.queue(), all.shape, all.strides, all.offset), x.dtype());
}

// Whether different indices are different elements, as far as the strides show: each dimension
// steps over all elements of those with smaller strides.
static bool has_distinct_elements(const Array& x) {
  std::vector<int> order(static_cast<size_t>(x.ndim()));
  std::iota(order.begin(), order.end(), 0);
  const auto step = [&](int d) { return std::abs(x.strides()[d]); };
  std::ranges::sort(order, [&](int a, int b) { return step(a) < step(b); });
  int64_t reach = 0;
  for (int d : order) {
    if (x.shape()[d] == 1) continue;
    if (step(d) <= reach) return false;
    reach += step(d) * (x.shape()[d] - 1);
  }
  return true;
}

Array with_writable(const Array& x, bool writable) {
  if (writable && (x.storage()->read_only || !has_distinct_elements(x)))
    throw Error(ErrorKind::kValue, "flags.writeable",
                x.storage()->read_only
                    ? "the memory is read-only; copy the array, with copy(x)"
                    : "elements of the array may repeat in memory; copy it, with copy(x)");
  return Array(x.storage(),
               make_layout(x.queue(), x.shape(), x.strides(), x.layout()->offset, !writable),
               x.dtype());
}

Array broadcast_to(const Array& x, const Dims& shape) {
  const Dims& from = x.shape();
  const int missing = shape.size() - from.size();
  bool fits = missing >= 0;
  for (int d = 0; fits && d < from.size(); ++d)
    fits = from[d] == shape[d + missing] || from[d] == 1;
  if (!fits)
    throw Error(
        ErrorKind::kValue, "broadcast_to",
        fmt::format("shape {} does not broadcast to {}", shape_text(from), shape_text(shape)));
  LayoutRef layout = make_layout(x.queue(), shape, broadcast_strides(*x.layout(), shape),
                                 x.layout()->offset, true);
  return Array(x.storage(), std::move(layout), x.dtype());
}

}  // namespace hither
