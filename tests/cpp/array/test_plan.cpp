#include "array/plan/plan.h"

#include <vector>

#include <doctest/doctest.h>
#include <hither/counters.h>
#include <hither/linalg.h>
#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>

#include "array/flush.h"

using namespace hither;
using namespace hither::array;

namespace {

Array ones(const Queue& queue, const Dims& shape) {
  return full(shape, 1.0, DType::kFloat64, {queue, UsmType::kDevice});
}

Array evaluated(const Queue& queue, const Dims& shape) {
  Array x = copy(ones(queue, shape));
  x.synchronize();
  return x;
}

/// The state that planning must not change.
struct World {
  int64_t launches = counters().launches, allocations = counters().live_allocations;
  bool operator==(const World&) const = default;
};

std::vector<const Value*> needs_of(const Array& x) {
  Value& root = x.storage()->present();
  const GraphGuard guard(root.queue);
  Planner planner(root.queue);
  Plan plan;
  plan_value(plan, planner, root);
  std::vector<const Value*> needs;
  for (const ValueRef& v : planner.needs) needs.push_back(v.get());
  return needs;
}

}  // namespace

TEST_CASE("planning changes nothing, and returns the values to submit first") {
  const Queue queue("native_cpu");
  const Array x = evaluated(queue, {200, 3});
  const Array mean = sum(x) / Scalar(600.0);
  const Array far = sum(x - mean, {.axes = Dims{1}});
  const Array root = matmul(x, reshape(sum(x, {.axes = Dims{0}}), {3, 1})) + reshape(far, {200, 1});
  const World before;
  const uint32_t references = root.storage()->present().reference_count();
  const auto needs = needs_of(root);
  CHECK(!needs.empty());
  for (const Value* v : needs) CHECK(v->is_pending());
  CHECK(needs_of(root) == needs);
  CHECK(!root.is_evaluated());
  CHECK(root.storage()->present().reference_count() == references);
  CHECK(World() == before);
  root.synchronize();
  CHECK(root.is_evaluated());
}

TEST_CASE("an expression that does not fit one kernel is planned in parts") {
  const Queue queue("native_cpu");
  std::vector<Array> terms;
  for (int i = 0; i < 100; ++i) terms.push_back(ones(queue, {8}) + Scalar(static_cast<double>(i)));
  Array total = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) total = total + terms[i];
  for (const Array& term : terms) term.synchronize();  // each is a leaf now
  int rounds = 0;
  for (auto needs = needs_of(total); !needs.empty(); needs = needs_of(total)) {
    for (const Value* v : needs) submit(const_cast<Value&>(*v));
    REQUIRE(++rounds < 100);
  }
  double first = 0;
  strided_view(total, {}, {}, 3).item(&first);
  CHECK(first == 100 + 99 * 100 / 2);
}

TEST_CASE("a store makes outputs of nodes that read its target and have other readers") {
  const Queue queue("native_cpu");
  const Array a = evaluated(queue, {5});
  const Array part = strided_view(a, {4}, {1}, 1);
  Array next = part + Scalar(1.0);
  const Array total = sum(next);
  next = next * Scalar(2.0);
  assign(part, next);
  double value = 0;
  total.item(&value);
  CHECK(value == 8);
}
