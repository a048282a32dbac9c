#include "array/product.h"

#include <algorithm>

#include "array/flush.h"
#include "array/kernel_call.h"
#include "runtime/device_state.h"
#include "runtime/queue_state.h"

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

/// How many of the last dimensions of a stack are one product after another, at equal distances.
int even_dimensions(const Dims& batch, const Matrices& a, const Matrices& b) {
  int count = 0;
  for (int d = batch.size() - 1; d >= 0; --d, ++count) {
    if (count == 0 || batch[d] == 1) continue;
    const auto continues = [&](const Dims& strides) {
      return strides[d] == strides[d + 1] * batch[d + 1];
    };
    if (!continues(a.batch_strides) || !continues(b.batch_strides)) break;
  }
  return count;
}

void multiply_all(const runtime::Blas& blas, runtime::Gemm call, const Dims& batch,
                  const Matrices& a, const Matrices& b, char* c, void* stream) {
  call.transpose_a = a.transpose;
  call.transpose_b = b.transpose;
  call.lda = a.leading;
  call.ldb = b.leading;
  call.ldc = call.n;
  call.step_c = call.m * call.n;
  Dims outer = batch;
  if (blas.works_in_streams() && batch.size() > 0) {
    const int item = size_of(call.dtype), last = batch.size() - 1;
    for (int even = even_dimensions(batch, a, b); even > 0; --even) {
      call.count *= outer.back();
      outer.erase(outer.size() - 1);
    }
    call.step_a = a.batch_strides[last] / item;
    call.step_b = b.batch_strides[last] / item;
  }
  const int64_t calls = outer.product();
  const int64_t step = call.step_c * call.count * size_of(call.dtype);
  for (int64_t i = 0; i < calls; ++i) {
    int64_t rest = i, at_a = 0, at_b = 0;
    for (int d = outer.size() - 1; d >= 0; --d) {
      const int64_t at = rest % outer[d];
      rest /= outer[d];
      at_a += at * a.batch_strides[d];
      at_b += at * b.batch_strides[d];
    }
    call.a = a.data + at_a;
    call.b = b.data + at_b;
    call.c = c + i * step;
    blas.gemm(call, stream);
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
  const auto* blas = value.queue.device().state()->driver->blas();
  const auto work = [=, a = matrices_of(left, *a_), b = matrices_of(right, *b_),
                     c = static_cast<char*>(value.memory.data())](void* stream) {
    multiply_all(*blas, call, batch, a, b, c, stream);
  };
  if (blas->works_in_streams()) {
    value.written = value.queue.state()->driver->submit_native(work, depends);
  } else {  // the memory is held until the product is done
    value.written = value.queue.submit_host(
        [work, a = left.memory, b = right.memory, c = value.memory] { work(nullptr); }, depends);
  }
  note_read(left, value.written);
  note_read(right, value.written);
}

std::string ProductRecipe::describe(const Value&) const { return "matmul"; }

}  // namespace hither::array
