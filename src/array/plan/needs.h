// What planning knows, and what it asks for.
#pragma once

#include <unordered_set>

#include <llvm/ADT/SmallVector.h>

#include "array/graph/value.h"

namespace hither::array {

/// Values that have to be submitted before a plan can be made, in this order.
using Needs = llvm::SmallVector<ValueRef, 4>;

/// One attempt at a plan. Planning is pure: it makes no node, takes no device memory and submits
/// nothing. It gives a plan, or the values that have to be submitted first; each of these is
/// pending and below the root, so planning again after their submission ends.
struct Planner {
  explicit Planner(const Queue& q) : queue(q) {}

  const Queue& queue;  ///< whose graph lock is held
  Needs needs;
  /// For explain(): pending values that are taken for evaluated.
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
  /// A number for marks in Value::planner that no plan had before.
  uint64_t next_visit() const noexcept { return array::next_visit(queue); }
};

}  // namespace hither::array
