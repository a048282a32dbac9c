// Stores into existing memory, which the stored expression may read.
#pragma once

#include <optional>

#include "array/plan/cluster.h"

namespace hither::array {

/// Checks and prepares `cluster`, whose root is stored through `layout` of `target`, for running in
/// place. Nodes that read the target and that something outside the cluster still needs become
/// outputs, because they cannot be computed again afterwards. Returns the number of references to
/// the target that the cluster's nodes hold. Returns nothing when it cannot run in place: either
/// the layouts differ, so an element would be read after it was overwritten, or the table of
/// outputs is full.
std::optional<uint32_t> plan_in_place(Cluster& cluster, const Value& target, const Layout& layout);

/// A value in whose memory the cluster's root can be stored: only nodes of `cluster` read it,
/// nothing names it, and other uses of its memory end before. Null if there is none.
Value* replaceable_operand(const Cluster& cluster, const Value& root);

}  // namespace hither::array
