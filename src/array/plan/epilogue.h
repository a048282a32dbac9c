// What is made of a reduction element by element, in its last kernel: a mean's division, a norm's
// root.
#pragma once

#include "array/plan/cluster.h"

namespace hither::array {

/// Element-wise nodes, each of numbers and of the one before it; the first is of a reduction's
/// result, which is slot kLeafSlot (see ReduceForm::then).
struct Epilogue {
  Epilogue() noexcept {}       // does not clear the tables
  Value* reduction = nullptr;  ///< null: there is no epilogue
  KernelForm form;
  Binding binding;  ///< of the numbers alone
};

/// Whether pending `root` is the end of an epilogue to a pending reduction that nothing else reads.
/// Under the graph lock.
bool find_epilogue(Epilogue& epilogue, const Planner& planner, Value& root);

}  // namespace hither::array
