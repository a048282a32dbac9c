#include "python/convert/array_span.h"

#include <hither/error.h>
#include <hither/strides.h>

namespace hither::python {

ArraySpan span_of(void* first, const Dims& shape, const Dims& strides, int64_t unit, int64_t item) {
  const auto reach = reach_of(shape, strides, unit, item);
  int64_t bytes;
  if (!reach || __builtin_sub_overflow(reach->high, reach->low, &bytes))
    throw Error(ErrorKind::kValue, "asarray", "the strides reach beyond 64 bits");
  return {static_cast<char*>(first) + reach->low, -reach->low, bytes};
}

}  // namespace hither::python
