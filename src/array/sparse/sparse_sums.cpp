#include "array/sparse/sparse_sums.h"

#include <fmt/format.h>
#include <hither/ops.h>
#include <hither/sparse.h>

#include "array/emit/combine.h"
#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/placed.h"
#include "array/row_function.h"

namespace hither {

namespace array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

/// Everything that the code depends on.
struct SparseSumsKernel {
  DType index, a, b, stored, compute;

  std::string key() const {
    std::string k = "p2";
    for (DType t : {index, a, b, stored, compute}) k.push_back(static_cast<char>(t));
    return k;
  }

  // Parameters: result, the structure, elements of both matrices.
  target::KernelModule emit() const {
    ModuleBuilder m("hither_sparse_sums");
    for (int i = 0; i < 10; ++i) m.parameter(target::Parameter::kPointer);
    llvm::IRBuilder<>& builder = m.begin();
    Ir* pointers[10];
    for (Ir*& p : pointers) p = m.next_parameter();
    const auto [result, ends, firsts, a_rows, a_columns, b_rows, b_columns, places, a_data,
                b_data] = pointers;
    Ir* row = m.global_id(0);
    ElementEmitter e(builder, 1);
    Ir* one = builder.getInt64(1);
    const auto integer = [&](Ir* base, Ir* i) {
      return e.cast(e.load(index, base, i), index, DType::kInt64).re;
    };
    const auto next = [&](Ir* i) { return builder.CreateNSWAdd(i, one); };
    const Reduction sum = compute == DType::kBool ? Reduction::kAny : Reduction::kSum;
    const Combiner combiner(Accumulation{sum, compute});
    const Element zero = e.cast(combiner.identity(e, nullptr).value, compute, stored);
    emit_loop(builder, integer(ends, row), integer(ends, next(row)), one, {},
              [&](Ir* i, const Values&) {
                e.store(stored, zero, result, i);
                return Values{};
              });
    emit_loop(builder, integer(a_rows, row), integer(a_rows, next(row)), one,
              {integer(firsts, row)}, [&](Ir* k, const Values& first) {
                const Element x = e.cast(e.load(a, a_data, k), a, compute);
                Ir* of_b = integer(a_columns, k);
                return emit_loop(
                    builder, integer(b_rows, of_b), integer(b_rows, next(of_b)), one, first,
                    [&](Ir* t, const Values& number) {
                      Ir* place = integer(places, number[0]);
                      const Element pair[] = {x, e.cast(e.load(b, b_data, t), b, compute)};
                      const Element so_far = e.cast(e.load(stored, result, place), stored, compute);
                      const Element product = e.apply(Op::multiply, compute, pair);
                      const Element total =
                          combiner.in_order(builder, e, {so_far}, {product}).value;
                      e.store(stored, e.cast(total, compute, stored), result, place);
                      return Values{next(number[0])};
                    });
              });
    builder.CreateRetVoid();
    return m.finish();
  }
};

}  // namespace

void SparseSumsRecipe::launch(Value& value, std::span<const Operated> operands) const {
  for (const Operated& operand : structure_) require_ready(*operand.value);
  const SparseSumsKernel kernel{structure_[0].value->dtype, value.inputs[0].dtype,
                                value.inputs[1].dtype, value.dtype, value.compute};
  const ReadyKernel ready = find_kernel(
      value.queue, kernel.key(), [&] { return kernel.emit(); },
      [] { return std::string("sparse_sums"); });
  allocate(value);
  KernelCall call;
  call.writes(value.memory);
  for (const Operated& operand : structure_) call.reads(operand, kernel.index);
  call.reads(operands[0], kernel.a);
  call.reads(operands[1], kernel.b);
  const int64_t count = structure_[6].value->layout->size;
  value.written =
      call.submit(value.queue, ready, Range(rows_), count * size_of(kernel.index), count);
}

}  // namespace array

using namespace array;

Array sparse_sums(const Array& a, const Array& b, std::span<const Array* const> structure,
                  int64_t size, DType dtype, const Queue* queue) {
  const DType index = structure.empty() ? DType::kBool : structure[0]->dtype();
  bool right = structure.size() == 7 && (index == DType::kInt32 || index == DType::kInt64);
  for (const Array* x : structure) right = right && x->dtype() == index && x->ndim() == 1;
  if (!right || a.ndim() != 1 || b.ndim() != 1)
    throw Error(ErrorKind::kType, "sparse_sums",
                "takes two vectors of elements, and seven vectors of int32, or of int64");
  const Placed placed = place_arrays("sparse_sums", {&a, &b, structure[0]}, queue);
  const int64_t rows = structure[0]->size() - 1;
  if (size == 0 || rows <= 0 || a.size() == 0 || b.size() == 0)
    return full({size}, Scalar(0), dtype, {placed.queue, placed.usm_type});
  const DType compute = wide_dtype(dtype);
  ValueRef node = make_node(ValueKind::kRecipe, contiguous_layout(placed.queue, {size}), dtype,
                            compute, placed.usm_type);
  node->input_count = 2;
  bool escaped = false;
  int i = 0;
  for (const Array* operand : {&a, &b})
    node->inputs[i++] = operand_input(*operand, operand->layout(), placed.queue, escaped);
  SparseSumsRecipe::Structure held;
  for (size_t k = 0; k < held.size(); ++k)
    held[k] = submitted(*structure[k], placed.queue, escaped);
  node->recipe = std::make_unique<SparseSumsRecipe>(std::move(held), rows,
                                                    std::array<int64_t, 2>{a.size(), b.size()});
  bound(*node);
  return finish(std::move(node), escaped);
}

}  // namespace hither
