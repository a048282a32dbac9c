// What evaluating an array would run.
#include <unordered_set>

#include <fmt/format.h>

#include "array/cluster.h"
#include "array/epilogue.h"
#include "array/placed.h"
#include "array/row_cluster.h"

namespace hither {

using namespace array;

namespace {

class Explainer {
 public:
  void kernel_of(Value& root) {
    if (!root.is_pending() || !seen_.insert(&root).second) return;
    if (RowCluster rows; root.reduces && collect_rows(rows, root, false)) return line(root, rows);
    if (root.kind == ValueKind::kRecipe) {
      for (int i = 0; i < root.input_count; ++i)
        if (root.inputs[i].value && !fuses(root.inputs[i])) kernel_of(*root.inputs[i].value);
      line(root, root.recipe->describe(root), root.input_count, bytes_of_inputs(root));
      return;
    }
    if (root.reduces && epilogue_of(root)) return;
    std::string ops;
    std::unordered_set<const Value*> leaves;
    int64_t read = 0;
    int outputs = 0;
    walk(root, ops, leaves, read, outputs);
    line(root, ops, static_cast<int>(leaves.size()), read, std::max(outputs, 1));
  }

  std::string text;

 private:
  void walk(Value& v, std::string& ops, std::unordered_set<const Value*>& leaves, int64_t& read,
            int& outputs) {
    for (int i = 0; i < v.input_count; ++i) {
      const Input& in = v.inputs[i];
      if (!in.value) continue;
      if (fuses(in)) {
        if (seen_.insert(in.value.get()).second) walk(*in.value, ops, leaves, read, outputs);
        continue;
      }
      kernel_of(*in.value);
      if (leaves.insert(in.value.get()).second)
        read += (in.layout ? in.layout->size : in.value->layout->size) * size_of(in.dtype);
    }
    if (v.names.load(std::memory_order_acquire) > 0) ++outputs;
    if (!ops.empty()) ops += ' ';
    ops += name_of(v);
  }

  bool epilogue_of(Value& root) {
    Epilogue epilogue;
    if (!find_epilogue(epilogue, root)) return false;
    Value& reduction = *epilogue.reduction;
    if (RowCluster rows; collect_rows(rows, reduction, false)) return false;
    const Input& in = reduction.inputs[0];
    if (in.value && !fuses(in)) kernel_of(*in.value);
    std::string what = reduction.recipe->describe(reduction);
    for (int i = 0; i < epilogue.nodes.node_count; ++i)
      what.append(" ").append(name_of(*epilogue.nodes.nodes[i]));
    line(root, what, 1, bytes_of_inputs(reduction));
    return true;
  }

  static int64_t bytes_of_inputs(const Value& v) {
    int64_t bytes = 0;
    for (int i = 0; i < v.input_count; ++i)
      if (v.inputs[i].value) bytes += v.inputs[i].value->layout->size * size_of(v.inputs[i].dtype);
    return bytes;
  }

  void line(const Value& root, const std::string& what, int inputs, int64_t read, int outputs = 1) {
    const int64_t written = outputs * root.layout->size * size_of(root.dtype);
    text += fmt::format("kernel {}: {} over {} {} on {}; {} inputs, {} outputs, {} bytes moved\n",
                        ++count_, what, shape_text(root.shape()), name_of(root.dtype),
                        root.queue.device().filter_string(), inputs, outputs, read + written);
  }

  void line(const Value& root, const RowCluster& rows) {
    text += fmt::format(
        "kernel {}: {} over {} rows of {} on {}; {} inputs, {} outputs, {} bytes moved\n", ++count_,
        name_of(rows), rows.rows, rows.plan.length, root.queue.device().filter_string(),
        rows.nodes.leaf_count, rows.nodes.output_count, bytes_moved(rows));
  }

  std::unordered_set<const Value*> seen_;
  int count_ = 0;
};

}  // namespace

std::string explain(const Array& x) {
  const ValueRef value = x.storage()->value();
  const GraphGuard guard(value->queue);
  if (!value->is_pending()) return "nothing to run: the array is evaluated\n";
  Explainer explainer;
  explainer.kernel_of(*value);
  return explainer.text;
}

}  // namespace hither
