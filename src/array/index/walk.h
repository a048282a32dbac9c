// Axes of an array that kernels count through.
#pragma once

#include "array/kernel_call.h"

namespace hither::array {

/// Adjacent axes merged.
struct Walk {
  Dims extents, strides;
  Walk(const Dims& shape, const Dims& steps) {
    for (int d = 0; d < shape.size(); ++d) {
      if (shape[d] == 1) continue;
      if (!extents.empty() && strides.back() == steps[d] * shape[d]) {
        extents.back() *= shape[d];
        strides.back() = steps[d];
      } else {
        extents.push_back(shape[d]);
        strides.push_back(steps[d]);
      }
    }
    if (extents.empty()) {
      extents.push_back(1);
      strides.push_back(1);
    }
  }
  void pack(KernelCall& call) const {
    for (int d = 1; d < extents.size(); ++d) call.integer(extents[d]);
    for (int64_t s : strides) call.integer(s);
  }
};

}  // namespace hither::array
