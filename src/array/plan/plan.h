// Plans: the kernels that run when a value is submitted.
#pragma once

#include <memory>
#include <type_traits>

#include "array/plan/cluster.h"
#include "array/plan/reduction.h"
#include "array/plan/row_cluster.h"

namespace hither::array {

/// The kernels of a recipe. Its operands are in memory, or its only operand is computed by
/// `producers`. An operand without a copy is used in its present layout.
struct RecipePlan {
  std::unique_ptr<Cluster> producers;
  Slot root = 0;  ///< of the operand among the producers
  /// Copies in C order that are made first, for recipes that need C order; else null.
  std::unique_ptr<Cluster> copies[kMaxInputs];
};

/// The plan of one value. It refers to values that the root keeps alive. The holder of a plan
/// therefore holds a reference to the root, and the graph lock until the plan has run or is
/// discarded. It is not a std::variant, because that would clear the tables at every launch.
class Plan {
 public:
  Plan() noexcept {}
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() { reset(); }

  void reset() noexcept {
    static_assert(std::is_trivially_destructible_v<Cluster>);
    if (kind_ > Kind::kFused) visit([](auto& plan) { std::destroy_at(&plan); });
    kind_ = Kind::kNothing;
  }
  Cluster& make_fused() { return made(Kind::kFused, fused_); }
  RowCluster& make_rows() { return made(Kind::kRows, rows_); }
  ReductionPlan& make_reduction() { return made(Kind::kReduction, reduction_); }
  RecipePlan& make_recipe() { return made(Kind::kRecipe, recipe_); }

  /// Calls `use` with the active alternative, or with no argument for a value without elements.
  template <typename Use>
  void visit(Use&& use) {
    switch (kind_) {
      case Kind::kNothing:
        return;
      case Kind::kFused:
        return use(fused_);
      case Kind::kRows:
        return use(rows_);
      case Kind::kReduction:
        return use(reduction_);
      case Kind::kRecipe:
        return use(recipe_);
    }
  }

 private:
  enum class Kind : uint8_t { kNothing, kFused, kRows, kReduction, kRecipe };

  template <typename One>
  One& made(Kind kind, One& place) {
    reset();
    new (&place) One();
    kind_ = kind;
    return place;
  }

  Kind kind_ = Kind::kNothing;
  union {
    Cluster fused_;
    RowCluster rows_;
    ReductionPlan reduction_;
    RecipePlan recipe_;
  };
};

/// Plans the pending value `root`. `companions` are other pending values of root's shape and queue,
/// element-wise or reductions, that storages name. The same kernel computes those of them that fit.
/// Returns false when the planner's needs have to be submitted first; `plan` is then unspecified.
/// Pure (see Planner). Under the graph lock of root's queue. Throws the error of a failed input.
bool plan_value(Plan& plan, Planner& planner, Value& root,
                std::span<const ValueRef> companions = {});

}  // namespace hither::array
