// Matrix products.
#include <hither/linalg.h>

#include <algorithm>

#include <fmt/format.h>

#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/reduce.h>

#include "array/flush.h"
#include "array/graph/layout.h"
#include "array/placed.h"
#include "array/product.h"
#include "runtime/device_state.h"

namespace hither {

using namespace array;

namespace {

Dims batch_of(const Array& x) {
  Dims batch = x.shape();
  batch.erase(batch.size() - 1);
  batch.erase(batch.size() - 1);
  return batch;
}

// Whether BLAS can read the last two axes: one is contiguous, and the stride of the other is at
// least its length.
bool blas_readable(const Array& x) {
  const int r = x.ndim() - 2, c = x.ndim() - 1;
  const int64_t rows = x.shape()[r], columns = x.shape()[c];
  const int64_t row = x.strides()[r], column = x.strides()[c];
  const bool by_rows = (column == 1 || columns == 1) && (row >= columns || rows == 1);
  const bool by_columns = (row == 1 || rows == 1) && (column >= rows || columns == 1);
  return by_rows || by_columns;
}

Array with_batch(const Array& x, const Dims& batch) {
  Dims shape = batch;
  shape.push_back(x.shape()[x.ndim() - 2]);
  shape.push_back(x.shape()[x.ndim() - 1]);
  return broadcast_to(x, shape);
}

template <typename Recipe, typename... More>
Array multiply_by(const Array& left, const Array& right, const Placed& placed, More... more) {
  Dims shape = left.shape();
  shape.back() = right.shape()[right.ndim() - 1];
  ValueRef node = make_node(ValueKind::kRecipe, contiguous_layout(placed.queue, shape),
                            left.dtype(), left.dtype(), placed.usm_type);
  node->input_count = 2;
  node->inputs[0] = input_of(left);
  node->inputs[1] = input_of(right);
  node->recipe = std::make_unique<Recipe>(left.layout(), right.layout(), more...);
  bound(*node);
  bool escaped = synchronise_if_escaped(left, placed.queue);
  escaped |= synchronise_if_escaped(right, placed.queue);
  return finish(std::move(node), escaped);
}

Array multiply_by_blas(const Array& a, const Array& b, const Dims& batch, const Placed& placed,
                       Precision precision) {
  const auto prepare = [&](const Array& x) {
    return with_batch(blas_readable(x) ? x : copy(x), batch);
  };
  return multiply_by<ProductRecipe>(prepare(a), prepare(b), placed, precision);
}

// x as a stack of matrices with one axis.
Array with_flat_batch(const Array& x, const Dims& batch) {
  const int last = x.ndim() - 1;
  return reshape(with_batch(x, batch), {batch.product(), x.shape()[last - 1], x.shape()[last]});
}

// sum over k of a[..., i, k, 1] * b[..., 1, k, j] in one kernel, without storing the products.
// Floats of 16 bits accumulate in float32.
Array multiply_by_kernel(const Array& a, const Array& b, DType dtype) {
  const Array left = expand_dims(a, a.ndim());
  const Array right = expand_dims(b, b.ndim() - 2);
  const ReduceOptions over{.axes = Dims{-2}};
  if (dtype == DType::kBool) return any(bitwise_and(left, right), over);
  if (wide_dtype(dtype) != dtype) {
    const Array products = astype(left, DType::kFloat32) * astype(right, DType::kFloat32);
    return astype(sum(products, over), dtype);
  }
  return sum(left * right, {.axes = Dims{-2}, .dtype = dtype});
}

Array matrix_product(const Array& a, const Array& b, const Placed& placed, Precision precision) {
  const DType dtype = promote(a.dtype(), b.dtype());
  const Array left = astype(on_queue(a, placed.queue), dtype, false);
  const Array right = astype(on_queue(b, placed.queue), dtype, false);
  const Dims batch = broadcast_shapes(batch_of(a), batch_of(b));
  Dims shape = batch;
  shape.push_back(a.shape()[a.ndim() - 2]);
  shape.push_back(b.shape()[b.ndim() - 1]);
  if (shape.product() == 0 || a.shape()[a.ndim() - 1] == 0)
    return full(shape, false, dtype, {placed.queue, placed.usm_type});
  const bool of_vector = shape[shape.size() - 2] == 1 || shape.back() == 1;
  const bool small_stack =
      !batch.empty() && items_pay(placed.queue.device(), dtype, shape[shape.size() - 2],
                                  shape.back(), a.shape()[a.ndim() - 1]);
  if (small_stack && of_vector && shape.size() < kMaxRank)
    return multiply_by_kernel(left, right, dtype);
  if (small_stack)
    return multiply_by<SmallProductRecipe>(with_batch(left, batch), with_batch(right, batch),
                                           placed);
  const runtime::Blas* blas = placed.queue.device().state()->driver->blas();
  const bool narrow = dtype == DType::kBFloat16 || dtype == DType::kFloat16;
  // A product with a vector takes less time than a conversion.
  if (blas && blas->takes(DType::kFloat32) && !blas->takes(dtype) && narrow && !of_vector)
    return astype(multiply_by_blas(astype(left, DType::kFloat32), astype(right, DType::kFloat32),
                                   batch, placed, precision),
                  dtype);
  if (blas && blas->takes(dtype)) return multiply_by_blas(left, right, batch, placed, precision);
  if (tiles_pay(placed.queue.device(), a.shape()[a.ndim() - 2], b.shape()[b.ndim() - 1]))
    return multiply_by<TiledProductRecipe>(with_batch(left, batch), with_batch(right, batch),
                                           placed);
  if (shape.size() < kMaxRank) return multiply_by_kernel(left, right, dtype);
  return reshape(
      multiply_by_kernel(with_flat_batch(left, batch), with_flat_batch(right, batch), dtype),
      shape);
}

}  // namespace

Array matmul(const Array& a, const Array& b, const Queue* queue, Precision precision) {
  if (a.ndim() == 0 || b.ndim() == 0)
    throw Error(ErrorKind::kValue, "matmul", "0-d arrays have no rows or columns; use multiply");
  const Array left = a.ndim() == 1 ? expand_dims(a, 0) : a;
  const Array right = b.ndim() == 1 ? expand_dims(b, 1) : b;
  const int64_t k = left.shape()[left.ndim() - 1], other = right.shape()[right.ndim() - 2];
  if (k != other)
    throw Error(ErrorKind::kValue, "matmul",
                fmt::format("shapes {} and {} do not multiply: the last axis of the first has {} "
                            "elements, axis {} of the second has {}",
                            shape_text(a.shape()), shape_text(b.shape()), k,
                            std::max(b.ndim() - 2, 0), other));
  require_arithmetic("matmul", a.dtype());
  require_arithmetic("matmul", b.dtype());
  Array result = matrix_product(left, right, place_arrays("matmul", {&a, &b}, queue), precision);
  if (b.ndim() == 1) result = squeeze(result, Dims{-1});
  if (a.ndim() == 1) result = squeeze(result, Dims{b.ndim() == 1 ? -1 : -2});
  return result;
}

Array tensordot(const Array& a, const Array& b, const Dims& axes_a, const Dims& axes_b,
                const Queue* queue) {
  const Dims sum_a = normalize_axes(axes_a, a.ndim(), "tensordot");
  const Dims sum_b = normalize_axes(axes_b, b.ndim(), "tensordot");
  bool fits = sum_a.size() == sum_b.size();
  for (int i = 0; fits && i < sum_a.size(); ++i)
    fits = a.shape()[static_cast<int>(sum_a[i])] == b.shape()[static_cast<int>(sum_b[i])];
  if (!fits)
    throw Error(
        ErrorKind::kValue, "tensordot",
        fmt::format("axes {} of shape {} and axes {} of shape {} do not pair", shape_text(axes_a),
                    shape_text(a.shape()), shape_text(axes_b), shape_text(b.shape())));
  require_rank(a.ndim() + b.ndim() - 2 * sum_a.size(), "tensordot");
  Dims order_a, order_b = sum_b, shape;
  int64_t m = 1, n = 1, k = 1;
  for (int d = 0; d < a.ndim(); ++d)
    if (std::find(sum_a.begin(), sum_a.end(), d) == sum_a.end()) {
      order_a.push_back(d);
      shape.push_back(a.shape()[d]);
      m *= a.shape()[d];
    }
  for (int64_t d : sum_a) {
    order_a.push_back(d);
    k *= a.shape()[static_cast<int>(d)];
  }
  for (int d = 0; d < b.ndim(); ++d)
    if (std::find(sum_b.begin(), sum_b.end(), d) == sum_b.end()) {
      order_b.push_back(d);
      shape.push_back(b.shape()[d]);
      n *= b.shape()[d];
    }
  const Array left = reshape(permute_dims(a, order_a), Dims{m, k});
  const Array right = reshape(permute_dims(b, order_b), Dims{k, n});
  return reshape(matmul(left, right, queue), shape);
}

Array tensordot(const Array& a, const Array& b, int count, const Queue* queue) {
  if (count < 0 || count > a.ndim() || count > b.ndim())
    throw Error(
        ErrorKind::kValue, "tensordot",
        fmt::format("axes is {}; the arrays have {} and {} dimensions", count, a.ndim(), b.ndim()));
  Dims axes_a, axes_b;
  for (int i = 0; i < count; ++i) {
    axes_a.push_back(a.ndim() - count + i);
    axes_b.push_back(i);
  }
  return tensordot(a, b, axes_a, axes_b, queue);
}

Array vecdot(const Array& a, const Array& b, int axis, const Queue* queue) {
  const int rank = std::min(a.ndim(), b.ndim());
  if (axis >= 0 || -axis > rank)
    throw Error(ErrorKind::kValue, "vecdot",
                fmt::format("axis is {}; it must be negative, and no less than -{}", axis, rank));
  if (a.shape()[a.ndim() + axis] != b.shape()[b.ndim() + axis])
    throw Error(ErrorKind::kValue, "vecdot",
                fmt::format("axis {} has {} elements in the first array and {} in the second", axis,
                            a.shape()[a.ndim() + axis], b.shape()[b.ndim() + axis]));
  const DType dtype = promote(a.dtype(), b.dtype());
  const ReduceOptions over{.axes = Dims{axis}};
  require_arithmetic("vecdot", a.dtype());
  require_arithmetic("vecdot", b.dtype());
  const DType compute = wide_dtype(dtype);
  Array left = astype(a, compute, false);
  if (is_complex(dtype)) left = conj(left);
  const Operand both[] = {left, b};
  if (dtype == DType::kBool) return any(apply(Op::bitwise_and, both, queue), over);
  const Array products = apply(Op::multiply, both, queue);
  const Array total = sum(products, {.axes = Dims{axis}, .dtype = compute});
  return compute == dtype ? total : astype(total, dtype);
}

}  // namespace hither
