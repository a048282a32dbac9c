// The memory that the elements of an imported array take.
#pragma once

#include <cstdint>

#include <hither/dims.h>

namespace hither::python {

struct ArraySpan {
  char* lowest;
  int64_t before, bytes;  ///< from the lowest byte to the first element; in all
};

/// `unit`: bytes that a stride of 1 moves. Error kValue where the strides reach beyond 64 bits.
ArraySpan span_of(void* first, const Dims& shape, const Dims& strides, int64_t unit, int64_t item);

}  // namespace hither::python
