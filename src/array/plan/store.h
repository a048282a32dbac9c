// Stores into memory that exists, which what is stored may read.
#pragma once

#include <optional>

#include "array/plan/cluster.h"

namespace hither::array {

/// Plans `cluster`, whose root is stored through `layout` of `target`, for running in place: nodes
/// that read the target, and that something outside of the cluster still needs, become outputs,
/// since they cannot be computed again afterwards. Returns how many references to the target the
/// cluster's nodes hold. Nothing when it cannot run in place: an element would be read after
/// another was written over it (the layouts differ), or there is no room for the outputs.
std::optional<uint32_t> plan_in_place(Cluster& cluster, const Value& target, const Layout& layout);

}  // namespace hither::array
