// The kernels over rows of GPUs, where items share a row.
#pragma once

#include "array/row_cluster.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Of a cluster whose plan has a team; parameters as emit() says.
target::KernelModule emit_team(const RowCluster& rows);

}  // namespace hither::array
