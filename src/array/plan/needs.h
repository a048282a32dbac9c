// Input and output of the planner.
#pragma once

#include <unordered_set>

#include <llvm/ADT/SmallVector.h>

#include "array/graph/value.h"

namespace hither::array {

/// Values that have to be submitted, in this order, before a plan can be made.
using Needs = llvm::SmallVector<ValueRef, 4>;

/// One attempt at a plan. Planning is pure: it makes no node, allocates no device memory and
/// submits nothing. The result is a plan, or the values that have to be submitted first. Those are
/// pending and are inputs of the root, so repeated planning after their submission ends.
struct Planner {
  explicit Planner(const Queue& q) : queue(q) {}

  const Queue& queue;  ///< the caller holds its graph lock
  Needs needs;
  /// For explain(): pending values that are assumed to be evaluated.
  const std::unordered_set<const Value*>* assumed = nullptr;

  bool is_pending(const Value& value) const {
    return value.is_pending() && !(assumed && assumed->contains(&value));
  }
  /// Whether `input` can be computed inside the kernel of the node that reads it.
  bool fuses(const Input& input) const {
    return input.value && !input.layout && input.value->is_elementwise() &&
           is_pending(*input.value);
  }
  void need(Value& value) { needs.emplace_back(Shared{}, &value); }
  /// A new number for marks in Value::planner.
  uint64_t next_visit() const noexcept { return array::next_visit(queue); }
};

}  // namespace hither::array
