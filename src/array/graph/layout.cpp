#include "array/graph/layout.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include <hither/error.h>

namespace hither {

int64_t element_count(const Dims& shape) {
  int64_t size = 1;
  bool empty = false;
  for (int64_t n : shape) {
    if (n < 0)
      throw Error(ErrorKind::kValue, "shape", "has the negative extent " + std::to_string(n));
    if (n == 0)
      empty = true;
    else if (__builtin_mul_overflow(size, n, &size) || size > kMaxElements)
      throw Error(ErrorKind::kValue, "shape",
                  "has more than 2^59 elements, which is not supported; use smaller arrays");
  }
  return empty ? 0 : size;
}

std::optional<Reach> reach_of(const Dims& shape, const Dims& strides, int64_t unit,
                              int64_t item) noexcept {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return Reach();
  Reach reach{0, item};
  for (int d = 0; d < shape.size(); ++d) {
    int64_t last;
    if (__builtin_mul_overflow(shape[d] - 1, strides[d], &last) ||
        __builtin_mul_overflow(last, unit, &last))
      return std::nullopt;
    int64_t& end = last < 0 ? reach.low : reach.high;
    if (__builtin_add_overflow(end, last, &end)) return std::nullopt;
  }
  return reach;
}

}  // namespace hither

namespace hither::array {

void require_rank(int rank, std::string_view where) {
  if (rank > kMaxRank)
    throw Error(
        ErrorKind::kValue, std::string(where),
        fmt::format("the result would have {} dimensions; the maximum is {}", rank, kMaxRank));
}

LayoutRef make_layout(const Queue& queue, const Dims& shape, const Dims& strides, int64_t offset,
                      bool read_only) {
  const int64_t size = element_count(shape);
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
  return make_layout(queue, shape, contiguous_strides(shape), 0);
}

std::string shape_text(const Dims& shape) {
  return fmt::format("({}{})", fmt::join(shape.begin(), shape.end(), ", "),
                     shape.size() == 1 ? "," : "");
}

Dims broadcast_strides(const Layout& layout, const Dims& shape) noexcept {
  Dims strides(shape.size(), 0);
  const int missing = shape.size() - layout.shape.size();
  for (int d = 0; d < layout.shape.size(); ++d)
    if (layout.shape[d] != 1) strides[d + missing] = layout.strides[d];
  return strides;
}

}  // namespace hither::array
