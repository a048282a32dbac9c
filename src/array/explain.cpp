// A description of the kernels that evaluating an array would run.
#include <unordered_set>

#include <fmt/format.h>

#include "array/placed.h"
#include "array/plan/plan.h"

namespace hither {

using namespace array;

namespace {

/// Makes the same plans in the same order as submission. Instead of running a plan, it assumes that
/// the plan's values are evaluated.
class Explainer {
 public:
  /// Describes the work on the host that has made `root`, or values that its expression reads.
  void host_work(const Value& root) {
    std::vector<const Value*> stack{&root};
    std::unordered_set<const Value*> seen;
    while (!stack.empty()) {
      const Value& v = *stack.back();
      stack.pop_back();
      if (!seen.insert(&v).second) continue;
      if (v.host_work) text += fmt::format("host: {}\n", *v.host_work);
      if (!v.is_pending()) continue;
      for (int i = v.input_count - 1; i >= 0; --i)
        if (v.inputs[i].value) stack.push_back(v.inputs[i].value.get());
    }
  }

  void value(Value& root) {
    Needs stack{ValueRef(Shared{}, &root)};
    while (!stack.empty()) {
      Value& v = *stack.back();
      Planner planner(v.queue);
      planner.assumed = &evaluated_;
      Plan plan;
      if (!planner.is_pending(v)) {
        stack.pop_back();
      } else if (plan_value(plan, planner, v)) {
        plan.visit([&](const auto& one) { describe(one, v); });
        evaluated_.insert(&v);
      } else {
        stack.append(planner.needs.rbegin(), planner.needs.rend());
      }
    }
  }

  std::string text;

 private:
  void describe(const Cluster& c, const Value& root) {
    for (int i = 0; i < c.form.output_count; ++i) evaluated_.insert(&c.output(i));
    line(root, operations(c.form), c.form.leaf_count, c.form.output_count, c.bytes_moved());
  }

  void describe(const RowCluster& r, const Value& root) {
    const KernelForm& f = r.form.nodes;
    for (int i = 0; i < f.output_count; ++i) evaluated_.insert(&r.output(i));
    text += fmt::format(
        "kernel {}: {} over {} rows of {} on {}; {} inputs, {} outputs, {} bytes moved\n", ++count_,
        name_of(f), r.rows, r.plan.length, root.queue.device().filter_string(), f.leaf_count,
        f.output_count, bytes_moved(r));
  }

  static int64_t bytes_read(const Cluster& producers) {
    int64_t bytes = 0;
    for (int i = 0; i < producers.form.leaf_count; ++i) {
      const Source& leaf = producers.binding.leaves[i];
      const int64_t size = leaf.layout ? leaf.layout->size : leaf.value->layout->size;
      bytes += size * size_of(producers.form.leaves[i].dtype);
    }
    return bytes;
  }

  void describe(const ReductionPlan& p, const Value& root) {
    const KernelForm& f = p.producers.form;
    if (p.copy) describe_copy(*p.copy, root);
    int64_t bytes = bytes_of(root);
    for (int i = 0; i < f.output_count; ++i) {
      evaluated_.insert(&p.producers.output(i));
      bytes += bytes_of(p.producers.output(i));
    }
    bytes += bytes_read(p.producers);
    std::string what = name_of(p.reduction->reduce->accumulation);
    if (f.node_count > 0) what += " of " + operations(f);
    if (p.epilogue.reduction) what += " " + operations(p.epilogue.form);
    line(root, what, f.leaf_count, f.output_count + 1, bytes);
  }

  void describe(const RecipePlan& p, const Value& root) {
    int64_t bytes = bytes_of(root);
    std::string what = root.recipe->describe(root);
    if (p.producers) {
      const KernelForm& f = p.producers->form;
      return line(root, what + " of " + operations(f), f.leaf_count, 1,
                  bytes + bytes_read(*p.producers));
    }
    for (int i = 0; i < root.input_count; ++i) {
      if (p.copies[i]) describe_copy(*p.copies[i], root);
      if (const Value* v = root.inputs[i].value.get()) bytes += bytes_of(*v);
    }
    line(root, what, root.input_count, 1, bytes);
  }

  void describe_copy(const Cluster& c, const Value& root) {
    line(root, name_of(c.form), c.form.leaf_count, 1, c.bytes_moved());
  }

  static int64_t bytes_of(const Value& v) { return v.layout->size * size_of(v.dtype); }

  static std::string operations(const KernelForm& f) {
    std::string text;
    for (int i = 0; i < f.node_count; ++i) {
      if (i > 0) text += ' ';
      text += name_of(f.nodes[i]);
    }
    return text;
  }

  void line(const Value& root, const std::string& what, int inputs, int outputs, int64_t bytes) {
    text += fmt::format("kernel {}: {} over {} {} on {}; {} inputs, {} outputs, {} bytes moved\n",
                        ++count_, what, shape_text(root.shape()), name_of(root.dtype),
                        root.queue.device().filter_string(), inputs, outputs, bytes);
  }

  std::unordered_set<const Value*> evaluated_;
  int count_ = 0;
};

}  // namespace

std::string explain(const Array& x) {
  const ValueRef value = x.storage()->value();
  const GraphGuard guard(value->queue);
  Explainer explainer;
  explainer.host_work(*value);
  if (!value->is_pending())
    return explainer.text + "nothing to run: the array is already evaluated\n";
  explainer.value(*value);
  return explainer.text;
}

void note_host_work(const Array& x, std::string_view description) {
  const ValueRef value = x.storage()->value();
  const GraphGuard guard(value->queue);
  value->host_work = std::make_unique<const std::string>(description);
}

}  // namespace hither
