#include "launch/argument.h"

namespace hither::launch {

bool is_c_order(const Dims& shape, const Dims& strides, int64_t step) noexcept {
  bool ordered = true;
  for (int d = shape.size() - 1; d >= 0; --d) {
    if (shape[d] == 0) return true;
    if (shape[d] != 1 && strides[d] != step) ordered = false;
    step *= shape[d];
  }
  return ordered;
}

}  // namespace hither::launch
