// The kernels over rows of GPUs, where items share a row.
#pragma once

#include "array/row_cluster.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Items of a group where rows are shared; several rows when they are short.
int items_of_group(const RowPlan& plan) noexcept;

/// Of a cluster whose plan has a team; parameters as emit() says.
target::KernelModule emit_team(const RowCluster& rows);

}  // namespace hither::array
