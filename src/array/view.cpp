// Views: other layouts of the same storage.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "array/value.h"

namespace hither {

using namespace array;

Array strided_view(const Array& x, const Dims& shape, const Dims& strides, int64_t offset) {
  LayoutRef layout =
      make_layout(x.queue(), shape, strides, x.layout()->offset + offset, x.layout()->read_only);
  if (layout->size > 0) {
    const Extent inside = extent_of(*x.layout()), wanted = extent_of(*layout);
    if (wanted.low < inside.low || wanted.high > inside.high)
      throw Error(ErrorKind::kIndex, "strided_view",
                  fmt::format("elements {} to {} are asked for, the array spans {} to {}",
                              wanted.low, wanted.high, inside.low, inside.high));
  }
  return Array(x.storage(), std::move(layout), x.dtype());
}

Array broadcast_to(const Array& x, const Dims& shape) {
  const Dims& from = x.shape();
  const int missing = shape.size() - from.size();
  bool fits = missing >= 0;
  for (int d = 0; fits && d < from.size(); ++d)
    fits = from[d] == shape[d + missing] || from[d] == 1;
  if (!fits)
    throw Error(ErrorKind::kValue, "broadcast_to",
                fmt::format("shape ({}) does not broadcast to ({})",
                            fmt::join(from.begin(), from.end(), ", "),
                            fmt::join(shape.begin(), shape.end(), ", ")));
  LayoutRef layout = make_layout(x.queue(), shape, broadcast_strides(*x.layout(), shape),
                                 x.layout()->offset, true);
  return Array(x.storage(), std::move(layout), x.dtype());
}

}  // namespace hither
