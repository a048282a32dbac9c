#include "array/sparse/sparse_product.h"

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
struct SparseProductKernel {
  DType data, index, bound, x;  ///< as they are read
  DType stored, compute;
  bool vector;  ///< x is a vector

  std::string key() const {
    std::string k = "p1";
    for (DType t : {data, index, bound, x, stored, compute}) k.push_back(static_cast<char>(t));
    k.push_back(static_cast<char>(vector));
    return k;
  }

  // Parameters: result, begins, ends, data, indices, x, number of columns of x.
  target::KernelModule emit() const {
    ModuleBuilder m("hither_sparse_product");
    for (int i = 0; i < 6; ++i) m.parameter(target::Parameter::kPointer);
    m.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m.begin();
    Ir* pointers[6];
    for (Ir*& p : pointers) p = m.next_parameter();
    const auto [result, begins, ends, elements, indices, factors] = pointers;
    Ir* columns = m.next_parameter();
    Ir* row = m.global_id(0);
    Ir* column = vector ? nullptr : m.global_id(1);
    const auto at = [&](Ir* i) {
      return vector ? i : b.CreateNSWAdd(b.CreateNSWMul(i, columns), column);
    };
    ElementEmitter e(b, 1);
    const auto integer = [&](DType t, Ir* base, Ir* i) {
      return e.cast(e.load(t, base, i), t, DType::kInt64).re;
    };
    const Reduction sum = compute == DType::kBool ? Reduction::kAny : Reduction::kSum;
    const Combiner combiner(Accumulation{sum, compute});
    const Element zero = combiner.identity(e, nullptr).value;
    Values carried{zero.re};
    if (zero.im) carried.push_back(zero.im);
    const auto element_of = [](const Values& v) {
      return Element{v[0], v.size() > 1 ? v[1] : nullptr};
    };
    const Values total =
        emit_loop(b, integer(bound, begins, row), integer(bound, ends, row), b.getInt64(1), carried,
                  [&](Ir* k, const Values& v) {
                    Ir* place = at(integer(index, indices, k));
                    const Element pair[] = {e.cast(e.load(data, elements, k), data, compute),
                                            e.cast(e.load(x, factors, place), x, compute)};
                    const Element product = e.apply(Op::multiply, compute, pair);
                    const Element next = combiner.in_order(b, e, {element_of(v)}, {product}).value;
                    return next.im ? Values{next.re, next.im} : Values{next.re};
                  });
    e.store(stored, e.cast(element_of(total), compute, stored), result, at(row));
    b.CreateRetVoid();
    target::KernelModule module = m.finish();
    module.independent_items = true;
    return module;
  }
};

bool is_index(DType t) { return t == DType::kInt32 || t == DType::kInt64; }

void check(const Array& data, const Array& indices, const Array& begins, const Array& ends,
           const Array& x) {
  if (data.ndim() != 1 || !(data.shape() == indices.shape()) || begins.ndim() != 1 ||
      !(begins.shape() == ends.shape()) || (x.ndim() != 1 && x.ndim() != 2))
    throw Error(
        ErrorKind::kValue, "sparse_product",
        fmt::format("data has shape {}, the indices {}, the begins {}, the ends {}, x {}; "
                    "x is a vector or a matrix, and the others are vectors in pairs of "
                    "equal length",
                    shape_text(data.shape()), shape_text(indices.shape()),
                    shape_text(begins.shape()), shape_text(ends.shape()), shape_text(x.shape())));
  if (!is_index(indices.dtype()) || !is_index(begins.dtype()) || begins.dtype() != ends.dtype())
    throw Error(
        ErrorKind::kType, "sparse_product",
        fmt::format("the indices are {}, the begins {}, the ends {}; they are int32 or "
                    "int64, and the begins and ends have one dtype",
                    name_of(indices.dtype()), name_of(begins.dtype()), name_of(ends.dtype())));
}

}  // namespace

void SparseProductRecipe::launch(Value& value, std::span<const Operated> operands) const {
  for (const Operated* bound : {&begins_, &ends_}) require_ready(*bound->value);
  const Dims& shape = value.shape();
  const SparseProductKernel kernel{
      value.inputs[0].dtype, value.inputs[1].dtype, begins_.value->dtype, value.inputs[2].dtype,
      value.dtype,           value.compute,         shape.size() == 1};
  allocate(value);
  KernelCall call;
  call.writes(value.memory);
  for (const Operated* bound : {&begins_, &ends_}) call.reads(*bound, kernel.bound);
  for (int i = 0; i < 3; ++i) call.reads(operands[static_cast<size_t>(i)], value.inputs[i].dtype);
  const int64_t columns = kernel.vector ? 1 : shape[1];
  call.integer(columns);
  const ReadyKernel ready = find_kernel(
      value.queue, kernel.key(), [&] { return kernel.emit(); },
      [] { return std::string("sparse_product"); });
  const int64_t bytes = shape[0] * 2 * size_of(kernel.bound) +
                        size_ * (size_of(kernel.data) + size_of(kernel.index)) +
                        x_size_ * size_of(kernel.x) + value.layout->size * size_of(kernel.stored);
  const NdRange range = kernel.vector ? Range(shape[0]) : Range(shape[0], columns);
  value.written = call.submit(value.queue, ready, range, bytes, size_ * columns);
}

}  // namespace array

using namespace array;

Array sparse_product(const Array& data, const Array& indices, const Array& begins,
                     const Array& ends, const Array& x, DType dtype, const Queue* queue) {
  check(data, indices, begins, ends, x);
  const Placed placed =
      place_arrays("sparse_product", {&data, &indices, &begins, &ends, &x}, queue);
  Dims shape = x.shape();
  shape[0] = begins.size();
  if (shape.product() == 0 || data.size() == 0 || x.size() == 0)
    return full(shape, Scalar(0), dtype, {placed.queue, placed.usm_type});
  const DType compute = wide_dtype(dtype);
  ValueRef node = make_node(ValueKind::kRecipe, contiguous_layout(placed.queue, shape), dtype,
                            compute, placed.usm_type);
  node->input_count = 3;
  bool escaped = false;
  int i = 0;
  for (const Array* operand : {&data, &indices, &x})
    node->inputs[i++] = operand_input(*operand, operand->layout(), placed.queue, escaped);
  node->recipe = std::make_unique<SparseProductRecipe>(submitted(begins, placed.queue, escaped),
                                                       submitted(ends, placed.queue, escaped),
                                                       data.size(), x.size());
  bound(*node);
  return finish(std::move(node), escaped);
}

}  // namespace hither
