#include "array/product.h"

#include <algorithm>

#include "array/flush.h"
#include "array/kernel_call.h"
#include "runtime/device_state.h"

namespace hither::array {

namespace {

/// A stack of matrices as BLAS reads it.
struct Matrices {
  const char* data;
  Dims batch_strides;  ///< in bytes
  bool transpose;
  int64_t leading;  ///< elements from one stored row to the next
};

Matrices matrices_of(const Value& value, const Layout& layout) {
  const int r = layout.shape.size() - 2, c = r + 1;
  const int64_t rows = layout.shape[r], columns = layout.shape[c];
  const int64_t row = layout.strides[r], column = layout.strides[c];
  Matrices m;
  m.data = address_of(value) + layout.offset * size_of(value.dtype);
  m.transpose = !((column == 1 || columns == 1) && (row >= columns || rows == 1));
  const int64_t step = m.transpose ? (columns == 1 ? rows : column) : (rows == 1 ? columns : row);
  m.leading = std::max(step, m.transpose ? rows : columns);
  for (int d = 0; d < r; ++d) m.batch_strides.push_back(layout.strides[d] * size_of(value.dtype));
  return m;
}

void multiply_all(const runtime::Blas& blas, runtime::Gemm call, const Dims& batch,
                  const Matrices& a, const Matrices& b, char* c) {
  call.transpose_a = a.transpose;
  call.transpose_b = b.transpose;
  call.lda = a.leading;
  call.ldb = b.leading;
  call.ldc = call.n;
  const int64_t count = batch.product();
  const int64_t step = call.m * call.n * size_of(call.dtype);
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, at_a = 0, at_b = 0;
    for (int d = batch.size() - 1; d >= 0; --d) {
      const int64_t at = rest % batch[d];
      rest /= batch[d];
      at_a += at * a.batch_strides[d];
      at_b += at * b.batch_strides[d];
    }
    call.a = a.data + at_a;
    call.b = b.data + at_b;
    call.c = c + i * step;
    blas.gemm(call);
  }
}

}  // namespace

void ProductRecipe::submit(Value& value) const {
  Value &left = ready(*value.inputs[0].value), &right = ready(*value.inputs[1].value);
  allocate(value);
  runtime::Gemm call;
  call.dtype = value.dtype;
  const int last = a_->shape.size() - 1;
  call.m = a_->shape[last - 1];
  call.k = a_->shape[last];
  call.n = b_->shape[last];
  Dims batch;
  for (int d = 0; d + 1 < last; ++d) batch.push_back(a_->shape[d]);
  std::vector<Event> depends;
  for (const Value* v : {&left, &right})
    if (Event last = v->written; last.state()) depends.push_back(std::move(last));
  wait_first(value.queue, depends);
  // The memory is held until the product is done.
  const auto* blas = value.queue.device().state()->driver->blas();
  value.written = value.queue.submit_host(
      [=, a = matrices_of(left, *a_), b = matrices_of(right, *b_), held_a = left.memory,
       held_b = right.memory, out = value.memory] {
        multiply_all(*blas, call, batch, a, b, static_cast<char*>(out.data()));
      },
      depends);
  note_read(left, value.written);
  note_read(right, value.written);
}

std::string ProductRecipe::describe(const Value&) const { return "matmul"; }

}  // namespace hither::array
