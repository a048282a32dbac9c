// A cluster becomes a kernel module.
#pragma once

#include <string>

#include "array/cluster.h"
#include "target/kernel_module.h"
#include "target/target.h"

namespace hither::array {

/// The element-wise kernel of a cluster. Parameters in order: output addresses, leaf addresses,
/// numbers, strides of every leaf that is not kLinear (one for each collapsed dimension), strides
/// of a strided root, and the extents: of clusters with tiles all, else those that the range's
/// first dimension holds, where it holds several. `kind` is what the code is for.
target::KernelModule emit(const Cluster& cluster, target::TargetKind kind);

/// "multiply_add_sqrt": the operations in order, shortened when there are many.
std::string name_of_cluster(const Cluster& cluster);

}  // namespace hither::array
