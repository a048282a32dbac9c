// Local memory whose size the launch sets.
#pragma once

#include <hither/dims.h>
#include <hither/dtype.h>

namespace hither::python {

/// hither.LocalAccessor: a kernel argument that is an array in local memory inside the kernel, one
/// for each work-group.
struct LocalAccessor {
  Dims shape;
  DType dtype;
};

}  // namespace hither::python
