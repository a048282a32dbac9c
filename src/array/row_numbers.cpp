#include "array/row_numbers.h"

#include <fmt/format.h>
#include <hither/ops.h>
#include <hither/sparse.h>

#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/kernel_call.h"
#include "array/placed.h"

namespace hither {

namespace array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

// Parameters: result, pointers, number of elements.
target::KernelModule emit(DType t) {
  ModuleBuilder m("hither_row_numbers");
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kPointer);
  m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  Ir* result = m.next_parameter();
  Ir* pointers = m.next_parameter();
  Ir* size = m.next_parameter();
  Ir* row = m.global_id(0);
  ElementEmitter e(b, 1);
  const auto pointer = [&](Ir* i) { return e.cast(e.load(t, pointers, i), t, DType::kInt64).re; };
  Ir* begin = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, pointer(row), b.getInt64(0));
  Ir* end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                    pointer(b.CreateNSWAdd(row, b.getInt64(1))), size);
  const Element number = e.cast({row}, DType::kInt64, t);
  emit_loop(b, begin, end, b.getInt64(1), {}, [&](Ir* k, const Values&) {
    e.store(t, number, result, k);
    return Values{};
  });
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

}  // namespace

void RowNumbersRecipe::launch(Value& value, std::span<const Operated> operands) const {
  const DType t = value.dtype;
  std::string key = "q1";
  key.push_back(static_cast<char>(t));
  const ReadyKernel kernel = find_kernel(
      value.queue, key, [&] { return emit(t); }, [] { return std::string("row_numbers"); });
  allocate(value);
  KernelCall call;
  call.writes(value.memory);
  call.reads(*operands[0].value);
  call.shift(operands[0].offset * size_of(t));
  const int64_t size = value.layout->size;
  call.integer(size);
  value.written = call.submit(value.queue, kernel, Range(rows_), (size + rows_) * size_of(t), size);
}

}  // namespace array

using namespace array;

Array row_numbers(const Array& pointers, int64_t size, const Queue* queue) {
  if (pointers.ndim() != 1 || pointers.size() == 0 || size < 0)
    throw Error(ErrorKind::kValue, "row_numbers",
                fmt::format("the pointers have shape {} and size is {}; the pointers are a vector "
                            "that is not empty",
                            shape_text(pointers.shape()), size));
  const DType t = pointers.dtype();
  if (t != DType::kInt32 && t != DType::kInt64)
    throw Error(ErrorKind::kType, "row_numbers",
                fmt::format("the pointers are {}, not int32 or int64", name_of(t)));
  const Placed placed = place_arrays("row_numbers", {&pointers}, queue);
  const int64_t rows = pointers.size() - 1;
  if (size == 0 || rows == 0) return full({size}, Scalar(0), t, {placed.queue, placed.usm_type});
  ValueRef node =
      make_node(ValueKind::kRecipe, contiguous_layout(placed.queue, {size}), t, t, placed.usm_type);
  node->input_count = 1;
  bool escaped = false;
  node->inputs[0] = operand_input(pointers, pointers.layout(), placed.queue, escaped);
  node->recipe = std::make_unique<RowNumbersRecipe>(rows);
  bound(*node);
  return finish(std::move(node), escaped);
}

}  // namespace hither
