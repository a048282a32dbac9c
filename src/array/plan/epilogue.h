// Epilogues: element-wise operations on a reduction's result that run in its last kernel, such as
// the division of a mean or the square root of a norm.
#pragma once

#include "array/plan/cluster.h"

namespace hither::array {

/// A chain of element-wise nodes. The operands of each are numbers and the node before it. The
/// first reads the reduction's result, which is slot kLeafSlot (see ReduceForm::then).
struct Epilogue {
  Epilogue() noexcept {}       // leaves the tables uninitialised
  Value* reduction = nullptr;  ///< null: there is no epilogue
  KernelForm form;
  Binding binding;  ///< contains only numbers
};

/// Whether the pending value `root` ends an epilogue of a pending reduction that nothing else
/// reads. Under the graph lock.
bool find_epilogue(Epilogue& epilogue, const Planner& planner, Value& root);

}  // namespace hither::array
