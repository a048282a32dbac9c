// What is made of a reduction element by element, in its last kernel: a mean's division, a norm's
// root.
#pragma once

#include "array/cluster.h"
#include "array/value.h"

namespace hither::array {

/// Element-wise nodes, each of numbers and of the one before it; the first is of a reduction's
/// result.
struct Epilogue {
  Value* reduction = nullptr;
  /// Slot kLeafSlot is the reduction's result, of dtype leaves[0].dtype. It is in no memory, so
  /// that leaf_count is 0.
  Cluster nodes;
};

/// Whether pending `root` is the end of an epilogue to a pending reduction (ReduceRecipe) that
/// nothing else reads. Under the graph lock.
bool find_epilogue(Epilogue& epilogue, Value& root);

}  // namespace hither::array
