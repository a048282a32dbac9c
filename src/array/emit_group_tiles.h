// The kernel of a cluster that reads transposed operands, on GPUs.
#pragma once

#include "array/cluster.h"
#include "target/kernel_module.h"

namespace hither::array {

/// Elements on a side of a group's square.
int64_t group_tile_side(const Cluster& cluster);
inline constexpr int64_t kGroupTileItems = 256;

/// Precondition: the cluster has a tile dimension. A group of kGroupTileItems has a square of it
/// and the last dimension: operands contiguous in the former go to local memory, read as they lie
/// and taken from there as the others lie. One global dimension: groups of everything else, then of
/// squares down, then of squares across. Parameters as emit() says.
target::KernelModule emit_group_tiles(const Cluster& cluster);

}  // namespace hither::array
