// Scans in one pass.
#pragma once

#include "array/combine.h"
#include "array/scan_recipe.h"
#include "array/value.h"

namespace hither::array {

/// Fills the memory of `value`, a scan of inputs[0], which is `x` in C order. Under the graph
/// lock; throws WaitFirst.
void scan_in_tiles(Value& value, Value& x, const Combiner& combiner, const ScanShape& shape,
                   bool initial);

}  // namespace hither::array
