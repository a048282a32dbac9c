// Reductions over rows and what belongs to them, in one kernel.
#pragma once

#include "array/value.h"

namespace hither::array {

/// Submits the rows that `root` is computed by and fills its memory and `written`; what else the
/// kernel stored is ready. False when it has none: nothing happened then, but that what it reads
/// may have been submitted. Under the graph lock; throws Error or WaitFirst.
bool submit_rows(Value& root);

}  // namespace hither::array
