// Operations become nodes. All arguments are checked here, and nothing runs here.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "array/flush.h"
#include "array/form/user_function.h"
#include "array/graph/type_rule.h"
#include "array/graph/value.h"
#include "array/memory_order.h"
#include "array/placed.h"
#include "array/record/work_recorder.h"
#include "runtime/queue_state.h"

namespace hither {

using namespace array;

namespace {

bool usable_as_result(const LayoutRef& layout, const Queue& queue) {
  return layout->contiguous && layout->offset == 0 && !layout->read_only && layout->queue == queue;
}

LayoutRef result_layout(std::string_view where, std::span<const Operand> operands,
                        const Queue& queue) {
  const Array* first = nullptr;
  bool same = true;
  for (const Operand& o : operands) {
    if (!o.is_array()) continue;
    if (!first)
      first = &o.array();
    else if (!(o.array().shape() == first->shape()))
      same = false;
  }
  if (same) {
    for (const Operand& o : operands)
      if (o.is_array() && usable_as_result(o.array().layout(), queue)) return o.array().layout();
    return contiguous_layout(queue, first->shape());
  }
  Dims shape = first->shape();
  for (const Operand& o : operands) {
    if (!o.is_array()) continue;
    try {
      shape = broadcast_shapes(shape, o.array().shape());
    } catch (const Error& e) {
      throw Error(e.kind(), std::string(where), e.message());
    }
  }
  return contiguous_layout(queue, shape);
}

struct Target {
  const Queue* queue = nullptr;
  UsmType usm_type = UsmType::kHost;
  std::optional<Queue> placed;  ///< target of `queue`, unless that is an argument's
};

// The queue and USM type that placement chooses. The usual case, one queue for all operands, is
// decided here.
void place_operands(Target& target, std::string_view where, std::span<const Operand> operands,
                    const Queue* queue) {
  const Array* first = nullptr;
  bool simple = queue == nullptr;
  for (const Operand& o : operands) {
    if (!o.is_array()) continue;
    if (!first) first = &o.array();
    simple = simple && o.array().queue() == first->queue();
    target.usm_type = strongest(target.usm_type, o.array().usm_type());
  }
  if (!first)
    throw Error(ErrorKind::kPlacement, std::string(where),
                "no argument is an array, so no queue can be inferred; pass an array, or make one "
                "with asarray");
  if (simple) {
    target.queue = &first->queue();
    return;
  }
  std::vector<runtime::PlacedArgument> placed;
  for (const Operand& o : operands)
    placed.push_back(o.is_array() ? placed_argument(o.array()) : runtime::PlacedArgument());
  target.placed = runtime::place(where, placed, queue, nullptr).queue;
  target.queue = &*target.placed;
}

bool is_comparison(Op op) {
  const TypeRule rule = rule_of(op);
  return rule == TypeRule::kEquality || rule == TypeRule::kOrder;
}

// Whether an integer is outside the range of the array's dtype. A comparison then uses an infinity
// instead.
bool out_of_reach(Op op, const Scalar& s, DType compute) {
  if (!is_comparison(op) || !s.is_weak() || !is_integer(compute)) return false;
  Recorder::depend_on(s);
  return !s.fits(compute);
}

bool is_typed(const Operand& o) { return o.is_array() || !o.scalar().is_weak(); }

DType dtype_of(const Operand& o) { return o.is_array() ? o.array().dtype() : o.scalar().dtype(); }

// The operand of a comparison that is a signed integer where the other is uint64, else -1. They
// have no common integer dtype, and their common dtype float64 would round them.
int signed_beside_uint64(Op op, std::span<const Operand> operands) {
  if (!is_comparison(op) || !is_typed(operands[0]) || !is_typed(operands[1])) return -1;
  for (int i = 0; i < 2; ++i)
    if (kind_of(dtype_of(operands[i])) == DTypeKind::kInt &&
        dtype_of(operands[1 - i]) == DType::kUInt64)
      return i;
  return -1;
}

// Replaces a constant array by its number.
bool constant_input(Input& input) {
  Value& v = *input.value;
  if (v.kind != ValueKind::kConstant || !v.is_pending() || input.dtype != v.dtype) return false;
  const GraphGuard guard(v.queue);
  if (!v.is_pending()) return false;
  Input number;
  number.dtype = v.dtype;
  number.symbol = v.inputs[0].symbol;
  std::copy(std::begin(v.inputs[0].number), std::end(v.inputs[0].number), number.number);
  input = std::move(number);
  return true;
}

}  // namespace

namespace array {

ValueRef make_node(ValueKind kind, LayoutRef layout, DType dtype, DType compute, UsmType usm_type) {
  ValueRef node(new Value(std::move(layout), dtype));
  node->kind = kind;
  node->compute = compute;
  node->usm_type = usm_type;
  if (WorkRecorder* const recorder = WorkRecorder::of_this_thread()) recorder->made(*node);
  return node;
}

Input scalar_input(const Scalar& s, DType compute) {
  Input input;
  if (!s.is_weak())
    input.dtype = s.dtype();
  else if (compute == DType::kBool)
    input.dtype = s.dtype();
  else
    input.dtype = compute;
  s.write(input.dtype, input.number);
  input.symbol = s.symbol();
  return input;
}

void fill_operand(Input& input, const Array& x, const LayoutRef& result, const Queue& queue,
                  bool& escaped) {
  fill_input_of(input, x);
  const bool x_escaped = x.storage()->escaped.load(std::memory_order_relaxed);
  escaped = escaped || x_escaped;
  if (WorkRecorder* const recorder = WorkRecorder::of_this_thread()) recorder->reads(*input.value);
  if (constant_input(input)) return;
  if (x_escaped) synchronise_if_escaped(x, queue);
  if (!input.layout && !(input.value->shape() == result->shape)) input.layout = x.layout();
  if (input.value->is_pending() && !(input.value->queue == queue)) submit(*input.value);
}

Array finish(ValueRef node, bool escaped) {
  if (eager() || escaped) {
    Array result = make_array(node);
    submit(*node);
    if (escaped) settle(*node);
    return result;
  }
  return make_array(std::move(node));
}

Array finish_recipe(const Dims& shape, DType dtype, DType compute, const Allocate& where,
                    std::span<const Array> operands, std::unique_ptr<Recipe> recipe, bool escaped) {
  ValueRef node = make_node(ValueKind::kRecipe, contiguous_layout(where.queue, shape), dtype,
                            compute, where.usm_type);
  for (const Array& x : operands)
    node->inputs[node->input_count++] = operand_input(x, x.layout(), where.queue, escaped);
  node->recipe = std::move(recipe);
  bound(*node);
  return finish(std::move(node), escaped);
}

}  // namespace array

namespace {

// A faster operation with the values of power() for this exponent. Refuses negative integers as
// exponents of integers.
std::optional<Op> shorter_power(std::span<const Operand> operands, DType compute) {
  const Operand& exponent = operands[1];
  if (exponent.is_array() || !exponent.scalar().is_weak() || !operands[0].is_array()) return {};
  const Scalar& s = exponent.scalar();
  Recorder::depend_on(s);
  if (is_integer(compute) && s.kind() == Scalar::Kind::kInt && s.integer() < 0)
    throw Error(ErrorKind::kValue, "power",
                "integers to negative integer powers are not allowed; cast the base to a "
                "floating-point dtype");
  if (s.kind() == Scalar::Kind::kComplex || compute != operands[0].array().dtype()) return {};
  if (s.real() == 2) return Op::square;
  if (s.real() == 3) return Op::cube;
  if (s.real() == -1 && !is_integer(compute)) return Op::reciprocal;
  return {};
}

// An integer outside the dtype's range in a comparison becomes an infinity of its sign. Both sides
// then compare as float64.
Input infinity_input(const Scalar& s) {
  const bool below = s.kind() == Scalar::Kind::kInt && s.integer() < 0;
  return scalar_input(Scalar(below ? -HUGE_VAL : HUGE_VAL), DType::kFloat64);
}

bool in_c_order(std::span<const Operand> operands) {
  return std::all_of(operands.begin(), operands.end(), [](const Operand& o) {
    return !o.is_array() || o.array().layout()->contiguous;
  });
}

// Applies the operation to the operands in memory order. The result has the same memory order.
Array apply_in_order(Op op, std::span<const Operand> operands, const Dims& order,
                     const Queue* queue) {
  Dims shape;
  for (const Operand& o : operands)
    if (o.is_array() && o.array().ndim() == order.size() && o.array().size() > shape.product())
      shape = o.array().shape();
  std::vector<Array> views;
  views.reserve(operands.size());
  std::vector<Operand> moved;
  for (const Operand& o : operands) {
    if (!o.is_array() || o.array().ndim() == 0) {
      moved.push_back(o);
      continue;
    }
    const Array& x = o.array();
    views.push_back(in_order(x.shape() == shape ? x : broadcast_to(x, shape), order));
    moved.emplace_back(views.back());
  }
  return from_order(apply(op, moved, queue), order);
}

// Compares a signed integer, which is operand `place`, with uint64: by its sign, then as uint64.
Array compare_signed(Op op, std::span<const Operand> operands, int place, const Queue* queue) {
  std::vector<Operand> moved(operands.begin(), operands.end());
  for (Operand& o : moved) {
    if (o.is_array()) continue;
    const Scalar& s = o.scalar();  // without its dtype it is compared by its value
    const bool beyond = s.kind() == Scalar::Kind::kUInt;
    o = Operand(beyond ? Scalar(static_cast<uint64_t>(s.integer())) : Scalar(s.integer()));
    return apply(op, moved, queue);
  }
  const Array& x = operands[place].array();
  const Array words = astype(x, DType::kUInt64);
  moved[place] = Operand(words);
  const Array compared = apply(op, moved, queue);
  const bool smaller = op == Op::less || op == Op::less_equal;
  const bool when_negative = op == Op::not_equal || (op != Op::equal && smaller == (place == 0));
  const Operand signs[] = {Operand(x), Operand(Scalar(0))};
  const Array sign = apply(when_negative ? Op::less : Op::greater_equal, signs, queue);
  const Operand both[] = {Operand(sign), Operand(compared)};
  return apply(when_negative ? Op::logical_or : Op::logical_and, both, queue);
}

}  // namespace

Array apply(Op op, std::span<const Operand> operands, const Queue* queue) {
  if (!in_c_order(operands))
    if (const auto order = common_order(operands))
      return apply_in_order(op, operands, *order, queue);
  if (const int place = signed_beside_uint64(op, operands); place >= 0)
    return compare_signed(op, operands, place, queue);
  const OpTypes types = types_of(op, promote_operands(op, operands));
  if (op == Op::power)
    if (const auto shorter = shorter_power(operands, types.compute))
      return apply(*shorter, operands.first(1), queue);
  Target target;
  place_operands(target, info_of(op).name, operands, queue);
  ValueRef node =
      make_node(ValueKind::kElementwise, result_layout(info_of(op).name, operands, *target.queue),
                types.result, types.compute, target.usm_type);
  node->op = op;
  node->input_count = static_cast<uint8_t>(operands.size());
  bool escaped = false;
  for (size_t i = 0; i < operands.size(); ++i) {
    Input& input = node->inputs[i];
    if (operands[i].is_array()) {
      fill_operand(input, operands[i].array(), node->layout, *target.queue, escaped);
    } else if (out_of_reach(op, operands[i].scalar(), types.compute)) {
      input = infinity_input(operands[i].scalar());
      node->compute = DType::kFloat64;
    } else {
      input = scalar_input(operands[i].scalar(), types.compute);
    }
  }
  bound(*node);
  return finish(std::move(node), escaped);
}

Array apply(const UserOp& op, std::span<const Operand> operands, const Queue* queue) {
  const UserOpSource& source = op.source();
  if (operands.size() != source.operands.size())
    throw Error(
        ErrorKind::kValue, source.name,
        fmt::format("takes {} operand(s), {} given", source.operands.size(), operands.size()));
  Target target;
  place_operands(target, source.name, operands, queue);
  ValueRef node =
      make_node(ValueKind::kElementwise, result_layout(source.name, operands, *target.queue),
                source.result, source.result, target.usm_type);
  node->user = op.function();
  node->input_count = static_cast<uint8_t>(operands.size());
  bool escaped = false;
  for (size_t i = 0; i < operands.size(); ++i) {
    Input& input = node->inputs[i];
    if (operands[i].is_array())
      fill_operand(input, operands[i].array(), node->layout, *target.queue, escaped);
    else
      input = scalar_input(operands[i].scalar(), source.operands[i]);
  }
  bound(*node);
  return finish(std::move(node), escaped);
}

namespace array {

ValueRef cast_node(const Input& input, LayoutRef layout, DType dtype, UsmType usm_type) {
  ValueRef node = make_node(ValueKind::kCast, std::move(layout), dtype, dtype, usm_type);
  node->input_count = 1;
  node->inputs[0] = input;
  bound(*node);
  return node;
}

}  // namespace array

Array astype(const Array& x, DType dtype, bool copy) {
  if (x.dtype() == dtype && !copy) return x;
  if (x.dtype() != dtype)
    if (const auto order = memory_order(*x.layout()))
      return from_order(astype(in_order(x, *order), dtype), *order);
  LayoutRef layout = usable_as_result(x.layout(), x.queue())
                         ? x.layout()
                         : contiguous_layout(x.queue(), x.shape());
  bool escaped = false;
  const Input input = operand_input(x, layout, x.queue(), escaped);
  return finish(cast_node(input, layout, dtype, x.usm_type()), escaped);
}

Array copy(const Array& x) { return astype(x, x.dtype(), true); }

Array clip(const Array& x, const std::optional<Operand>& low, const std::optional<Operand>& high) {
  Array result = x;
  auto limit = [&](Op op, const Operand& bound) {
    const Operand operands[] = {result, bound};
    Array limited = apply(op, operands);
    result = limited.dtype() == x.dtype() ? limited : astype(limited, x.dtype());
  };
  if (low) limit(Op::maximum, *low);
  if (high) limit(Op::minimum, *high);
  return low || high ? result : copy(x);
}

Dims broadcast_shapes(const Dims& a, const Dims& b) {
  const int rank = std::max(a.size(), b.size());
  Dims shape(rank, 1);
  for (int d = 0; d < rank; ++d) {
    const int da = d - (rank - a.size()), db = d - (rank - b.size());
    const int64_t na = da < 0 ? 1 : a[da], nb = db < 0 ? 1 : b[db];
    if (na != nb && na != 1 && nb != 1)
      throw Error(ErrorKind::kValue, "broadcast",
                  fmt::format("shapes {} and {} do not broadcast: axis {} has {} and {} elements",
                              shape_text(a), shape_text(b), d - rank, na, nb));
    shape[d] = na == 1 ? nb : na;
  }
  return shape;
}

}  // namespace hither
