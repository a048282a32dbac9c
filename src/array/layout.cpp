#include "array/layout.h"

namespace hither::array {

Dims contiguous_strides(const Dims& shape) noexcept {
  Dims strides(shape.size(), 1);
  int64_t step = 1;
  for (int d = shape.size() - 1; d >= 0; --d) {
    strides[d] = step;
    step *= shape[d];
  }
  return strides;
}

bool is_contiguous(const Dims& shape, const Dims& strides) noexcept {
  int64_t step = 1;
  bool dense = true;
  for (int d = shape.size() - 1; d >= 0; --d) {
    if (shape[d] == 0) return true;
    if (shape[d] != 1 && strides[d] != step) dense = false;
    step *= shape[d];
  }
  return dense;
}

LayoutRef make_layout(const Queue& queue, const Dims& shape, const Dims& strides, int64_t offset) {
  auto* layout = new Layout(queue);
  layout->shape = shape;
  layout->strides = strides;
  layout->offset = offset;
  layout->size = shape.product();
  layout->contiguous = is_contiguous(shape, strides);
  return LayoutRef(layout);
}

LayoutRef contiguous_layout(const Queue& queue, const Dims& shape) {
  return make_layout(queue, shape, contiguous_strides(shape), 0);
}

Dims broadcast_strides(const Layout& layout, const Dims& shape) noexcept {
  Dims strides(shape.size(), 0);
  const int missing = shape.size() - layout.shape.size();
  for (int d = 0; d < layout.shape.size(); ++d)
    if (layout.shape[d] != 1) strides[d + missing] = layout.strides[d];
  return strides;
}

Extent extent_of(const Layout& layout) noexcept {
  if (layout.size == 0) return {0, -1};
  Extent e{layout.offset, layout.offset};
  for (int d = 0; d < layout.shape.size(); ++d) {
    const int64_t reach = layout.strides[d] * (layout.shape[d] - 1);
    (reach < 0 ? e.low : e.high) += reach;
  }
  return e;
}

}  // namespace hither::array
