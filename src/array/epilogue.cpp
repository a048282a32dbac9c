#include "array/epilogue.h"

#include "array/reduce_recipe.h"

namespace hither::array {

namespace {

constexpr int kMostSteps = 16;

/// The only operand that is no number; null if there are several, or none.
Input* only_operand(Value& v) {
  Input* found = nullptr;
  for (int i = 0; i < v.input_count; ++i) {
    if (!v.inputs[i].value) continue;
    if (found) return nullptr;
    found = &v.inputs[i];
  }
  return found;
}

bool is_read_once(const Value& v) {
  return v.reference_count() == 1 && v.names.load(std::memory_order_acquire) == 0;
}

bool is_reduction(const Value& v) {
  const auto* recipe = dynamic_cast<const ReduceRecipe*>(v.recipe.get());
  return recipe && !recipe->combiner().with_index();
}

}  // namespace

bool find_epilogue(Epilogue& epilogue, Value& root) {
  Value* steps[kMostSteps];  // from the last one
  int count = 0;
  for (Value* v = &root;;) {
    const bool is_step = v->kind == ValueKind::kElementwise || v->kind == ValueKind::kCast;
    if (!is_step || count == kMostSteps) return false;
    steps[count++] = v;
    Input* const in = only_operand(*v);
    if (!in || in->layout || !in->value->is_pending() || !is_read_once(*in->value)) return false;
    v = in->value.get();
    if (v->kind == ValueKind::kRecipe) break;
  }
  Value& reduction = *only_operand(*steps[count - 1])->value;
  if (!is_reduction(reduction)) return false;
  epilogue.reduction = &reduction;
  Cluster& c = epilogue.nodes;
  c.leaves[0].dtype = reduction.dtype;
  Slot before = kLeafSlot;
  while (count > 0) {
    Value& v = *steps[--count];
    for (int i = 0; i < v.input_count; ++i) {
      const Input& in = v.inputs[i];
      Slot& operand = c.operands[c.node_count][i];
      operand = in.value ? before : static_cast<Slot>(kNumberSlot + c.number_count);
      if (!in.value) c.numbers[c.number_count++] = {in.number, in.dtype};
    }
    before = static_cast<Slot>(c.node_count);
    c.nodes[c.node_count++] = &v;
  }
  return true;
}

}  // namespace hither::array
