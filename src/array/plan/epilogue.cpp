#include "array/plan/epilogue.h"

namespace hither::array {

namespace {

constexpr int kMostSteps = 16;

/// The only operand that is not a number; null if there is none, or more than one.
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

}  // namespace

bool find_epilogue(Epilogue& epilogue, const Planner& planner, Value& root) {
  Value* steps[kMostSteps];  // the last step first
  int count = 0;
  for (Value* v = &root;;) {
    const bool is_step = v->kind == ValueKind::kElementwise || v->kind == ValueKind::kCast;
    if (!is_step || count == kMostSteps) return false;
    steps[count++] = v;
    Input* const in = only_operand(*v);
    if (!in || in->layout || !planner.is_pending(*in->value) || !is_read_once(*in->value))
      return false;
    v = in->value.get();
    if (v->kind == ValueKind::kReduce) break;
  }
  Value& reduction = *only_operand(*steps[count - 1])->value;
  if (reduction.reduce->accumulation.with_index()) return false;
  epilogue.reduction = &reduction;
  KernelForm& f = epilogue.form;
  f.leaves[0] = {reduction.dtype, Access::kLinear, 0, 0, 0};
  Slot before = kLeafSlot;
  while (count > 0) {
    const Value& v = *steps[--count];
    FormNode node = form_node(v);
    for (int i = 0; i < v.input_count; ++i) {
      const Input& in = v.inputs[i];
      node.operands[i] = in.value ? before : static_cast<Slot>(kNumberSlot + f.number_count);
      if (in.value) continue;
      epilogue.binding.numbers[f.number_count] = &in;
      f.numbers[f.number_count++] = in.dtype;
    }
    before = static_cast<Slot>(f.node_count);
    f.nodes[f.node_count++] = node;
  }
  return true;
}

}  // namespace hither::array
