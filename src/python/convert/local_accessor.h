// Local memory that a launch sizes.
#pragma once

#include <hither/dims.h>
#include <hither/dtype.h>

namespace hither::python {

/// hither.LocalAccessor: an argument that is, in the kernel, an array of which each work-group has
/// one.
struct LocalAccessor {
  Dims shape;
  DType dtype;
};

}  // namespace hither::python
