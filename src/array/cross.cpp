// Cross products of vectors.
#include <algorithm>

#include <fmt/format.h>
#include <hither/linalg.h>
#include <hither/manipulate.h>
#include <hither/ops.h>

#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/placed.h"
#include "array/plan/gpu_forms.h"

namespace hither {

using namespace array;

namespace {

// Parameters: result, both operands, their strides along the vectors, and the extents (but the
// first) and both strides of the other axes. An item computes a vector, or on GPUs an element, so
// that consecutive items store consecutive elements.
target::KernelModule emit_cross(DType t, int rank, bool by_element) {
  using Values = std::vector<llvm::Value*>;
  ModuleBuilder m("hither_cross");
  for (int i = 0; i < 3; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 2 + std::max(rank - 1, 0) + 2 * rank; ++i)
    m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  llvm::Value* result = m.next_parameter();
  llvm::Value* operands[2] = {m.next_parameter(), m.next_parameter()};
  llvm::Value* steps[2] = {m.next_parameter(), m.next_parameter()};
  Values extents;
  std::vector<Values> strides(2);
  for (int d = 0; d < rank; ++d) extents.push_back(d == 0 ? nullptr : m.next_parameter());
  for (Values& of : strides)
    for (int d = 0; d < rank; ++d) of.push_back(m.next_parameter());
  llvm::Value *item = m.global_id(0), *three = b.getInt64(3);
  llvm::Value* row = by_element ? b.CreateUDiv(item, three) : item;
  const Values starts = emit_offsets(b, row, extents, strides);
  ElementEmitter e(b, 1);
  const auto element = [&](int operand, llvm::Value* i) {
    llvm::Value* at =
        b.CreateNSWAdd(starts[static_cast<size_t>(operand)], b.CreateNSWMul(i, steps[operand]));
    return e.load(t, operands[operand], at);
  };
  const auto product = [&](llvm::Value* i, llvm::Value* j) {
    const Element factors[2] = {element(0, i), element(1, j)};
    return e.apply(Op::multiply, t, factors);
  };
  const auto store = [&](llvm::Value* at, llvm::Value* i, llvm::Value* j) {
    const Element products[2] = {product(i, j), product(j, i)};
    e.store(t, e.apply(Op::subtract, t, products), result, at);
  };
  const auto after = [&](llvm::Value* i) {
    return b.CreateURem(b.CreateAdd(i, b.getInt64(1)), three);
  };
  if (by_element) {
    llvm::Value* i = after(b.CreateURem(item, three));
    store(item, i, after(i));
  }
  for (uint64_t k = 0; !by_element && k < 3; ++k)
    store(b.CreateNSWAdd(b.CreateNSWMul(item, three), b.getInt64(k)), b.getInt64((k + 1) % 3),
          b.getInt64((k + 2) % 3));
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

/// The cross products of inputs[0] and inputs[1], whose last axes have extent 3. The strides are
/// those of the operands.
class CrossRecipe final : public Recipe {
 public:
  CrossRecipe(const Dims& a, const Dims& b) : strides_{a, b} {}

  void launch(Value& value, std::span<const Operated> operands) const override {
    const DType t = value.dtype;
    const int rank = value.shape().size() - 1;
    const bool by_element = takes_gpu_forms(value.queue);
    std::string key = "v1";
    for (int v : {static_cast<int>(t), rank, static_cast<int>(by_element)})
      key.push_back(static_cast<char>(v));
    const ReadyKernel kernel = find_kernel(
        value.queue, key, [&] { return emit_cross(t, rank, by_element); },
        [] { return std::string("cross"); });
    allocate(value);
    KernelCall call;
    call.writes(value.memory);
    for (const Operated& x : operands) call.reads(x, t);
    for (const Dims& strides : strides_) call.integer(strides.back());
    for (int d = 1; d < rank; ++d) call.integer(value.shape()[d]);
    for (const Dims& strides : strides_)
      for (int d = 0; d < rank; ++d) call.integer(strides[d]);
    const int64_t size = value.layout->size;
    value.written = call.submit(value.queue, kernel, Range(by_element ? size : size / 3),
                                3 * size * size_of(t), size);
  }
  std::string describe(const Value&) const override { return "cross"; }

 private:
  Dims strides_[2];
};

}  // namespace

Array cross(const Array& a, const Array& b, int axis, const Queue* queue) {
  const Placed placed = place_arrays("cross", {&a, &b}, queue);
  for (const Array* x : {&a, &b})
    if (axis >= 0 || -axis > x->ndim() || x->shape()[x->ndim() + axis] != 3)
      throw Error(
          ErrorKind::kValue, "cross",
          fmt::format("axis {} of shape {} must have 3 elements", axis, shape_text(x->shape())));
  const Dims shape = broadcast_shapes(a.shape(), b.shape());
  const DType t = promote(a.dtype(), b.dtype());
  require_arithmetic("cross", t);
  if (t == DType::kBool)
    throw Error(ErrorKind::kType, "cross", "the vectors are bool; cast them to numbers");
  const auto vectors = [&](const Array& x) {
    const Array given = astype(on_queue(x, placed.queue), t, false);
    return moveaxis(broadcast_to(given, shape), {axis}, {-1});
  };
  const Array x = vectors(a), y = vectors(b);
  ValueRef node = make_node(ValueKind::kRecipe, contiguous_layout(placed.queue, x.shape()), t, t,
                            placed.usm_type);
  node->input_count = 2;
  node->inputs[0] = input_of(x);
  node->inputs[1] = input_of(y);
  node->recipe = std::make_unique<CrossRecipe>(x.strides(), y.strides());
  bound(*node);
  bool escaped = synchronise_if_escaped(x, placed.queue);
  escaped |= synchronise_if_escaped(y, placed.queue);
  const Array result = finish(std::move(node), escaped);
  return axis == -1 ? result : moveaxis(result, {-1}, {axis});
}

}  // namespace hither
