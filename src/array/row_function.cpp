#include "array/row_function.h"

#include <fmt/format.h>
#include <hither/linalg.h>
#include <hither/ops.h>
#include <hither/sparse.h>

#include "array/emit/element.h"
#include "array/emit/module.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/placed.h"

namespace hither {

namespace array {

namespace {

// Parameters: result, operands, integers. The function's last argument is the item.
target::KernelModule emit(const std::string& function, size_t pointers, size_t integers) {
  ModuleBuilder m("hither_row_function");
  for (size_t i = 0; i < pointers; ++i) m.parameter(target::Parameter::kPointer);
  for (size_t i = 0; i < integers; ++i) m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  llvm::SmallVector<llvm::Value*, 16> arguments;
  for (size_t i = 0; i < pointers + integers; ++i) arguments.push_back(m.next_parameter());
  arguments.push_back(m.global_id(0));
  m.call(function, b.getVoidTy(), arguments);
  b.CreateRetVoid();
  return m.finish();
}

}  // namespace

Operated submitted(const Array& x, const Queue& queue, bool& escaped) {
  const Array dense = x.is_c_contiguous() ? x : copy(x);
  submit(dense.storage()->present());
  const Input input = operand_input(dense, dense.layout(), queue, escaped);
  return {input.value, input.layout ? input.layout->offset : 0};
}

void RowFunctionRecipe::launch(Value& value, std::span<const Operated>) const {
  for (const Operated& operand : operands_) require_ready(*operand.value);
  const std::string name = fmt::format("hither_{}_{}", function_, library_suffix(value.dtype));
  const ReadyKernel kernel = find_kernel(
      value.queue, "q1" + name, [&] { return emit(name, 1 + operands_.size(), integers_.size()); },
      [&] { return function_; });
  allocate(value);
  KernelCall call;
  call.writes(value.memory);
  int64_t bytes = value.layout->size * size_of(value.dtype);
  for (const Operated& operand : operands_) {
    call.reads(operand, value.dtype);
    bytes += operand.value->layout->size * size_of(value.dtype);
  }
  for (int64_t n : integers_) call.integer(n);
  value.written = call.submit(value.queue, kernel, Range(items_), bytes);
}

}  // namespace array

using namespace array;

namespace {

Array result_of(std::string function, std::span<const Array* const> operands,
                std::span<const int64_t> integers, int64_t items, int64_t size,
                const Placed& placed) {
  const DType t = operands[0]->dtype();
  if (size <= 0 || items <= 0)
    return full({std::max<int64_t>(size, 0)}, Scalar(0), t, {placed.queue, placed.usm_type});
  ValueRef node =
      make_node(ValueKind::kRecipe, contiguous_layout(placed.queue, {size}), t, t, placed.usm_type);
  bool escaped = false;
  std::vector<Operated> held;
  for (const Array* x : operands) held.push_back(submitted(*x, placed.queue, escaped));
  node->recipe = std::make_unique<RowFunctionRecipe>(
      std::move(function), std::move(held), std::vector<int64_t>(integers.begin(), integers.end()),
      items);
  bound(*node);
  return finish(std::move(node), escaped);
}

}  // namespace

Array row_function(std::string_view function, std::span<const Array* const> operands,
                   std::span<const int64_t> integers, int64_t items, int64_t size,
                   const Queue* queue) {
  const Placed placed = place_arrays("row_function", operands, queue);
  const DType t = operands[0]->dtype();
  for (const Array* x : operands)
    if (x->dtype() != t || (t != DType::kInt32 && t != DType::kInt64) || x->ndim() != 1)
      throw Error(ErrorKind::kType, "row_function",
                  fmt::format("an operand has dtype {} and shape {}; all are vectors of int32, or "
                              "all of int64",
                              name_of(x->dtype()), shape_text(x->shape())));
  return result_of(fmt::format("sparse_{}", function), operands, integers, items, size, placed);
}

Array matrix_function(std::string_view function, std::span<const Array* const> operands,
                      std::span<const int64_t> integers, int64_t items, int64_t size,
                      const Queue* queue) {
  const Placed placed = place_arrays("matrix_function", operands, queue);
  const DType t = operands[0]->dtype();
  for (const Array* x : operands)
    if (x->dtype() != t || (t != DType::kFloat32 && t != DType::kFloat64 && !is_complex(t)))
      throw Error(ErrorKind::kType, "matrix_function",
                  fmt::format("an operand has dtype {}; all have one of float32, float64, "
                              "complex64 and complex128",
                              name_of(x->dtype())));
  return result_of(fmt::format("matrix_{}", function), operands, integers, items, size, placed);
}

}  // namespace hither
