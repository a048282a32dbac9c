#include "array/layout.h"

#include <hither/error.h>

namespace hither::array {

namespace {

// Bytes of so many elements, of any dtype, still fit in an int64.
constexpr int64_t kMostElements = int64_t{1} << 59;

int64_t size_of_shape(const Dims& shape) {
  int64_t product = 1;
  bool empty = false, fits = true;
  for (int64_t n : shape) {
    empty = empty || n == 0;
    fits = fits && (n == 0 || !__builtin_mul_overflow(product, n, &product));
  }
  if (!fits || product > kMostElements)
    throw Error(ErrorKind::kValue, "shape",
                "the array would have more elements than any machine can count bytes for");
  return empty ? 0 : product;
}

}  // namespace

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

LayoutRef make_layout(const Queue& queue, const Dims& shape, const Dims& strides, int64_t offset,
                      bool read_only) {
  const int64_t size = size_of_shape(shape);
  auto* layout = new Layout(queue);
  layout->shape = shape;
  layout->strides = strides;
  layout->offset = offset;
  layout->size = size;
  layout->contiguous = is_contiguous(shape, strides);
  layout->read_only = read_only;
  return LayoutRef(layout);
}

LayoutRef contiguous_layout(const Queue& queue, const Dims& shape) {
  size_of_shape(shape);  // before the strides overflow
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
