// Single-pass scans.
#pragma once

#include "array/emit/combine.h"
#include "array/graph/value.h"
#include "array/scan_recipe.h"

namespace hither::array {

/// Allocates and computes `value`, a scan of inputs[0], which is `x`. Under the graph
/// lock; throws WaitFirst.
void scan_in_tiles(Value& value, const ScanSource& x, const Accumulation& accumulation,
                   const ScanShape& shape, bool initial);

}  // namespace hither::array
