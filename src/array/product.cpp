#include "array/product.h"

#include <algorithm>
#include <limits>

#include "array/flush.h"
#include "array/kernel_call.h"
#include "runtime/device_state.h"
#include "runtime/profile.h"
#include "runtime/queue_interop.h"
#include "runtime/queue_state.h"

namespace hither::array {

Stack stack_of(const Value& value, const Layout& layout, DType dtype) {
  Stack stack;
  const int item = size_of(dtype);
  stack.data = address_of(value) + layout.offset * item;
  for (int d = 0; d + 2 < layout.shape.size(); ++d)
    stack.strides.push_back(layout.strides[d] * item);
  return stack;
}

int even_dimensions(const Dims& batch, const Stack& a, const Stack& b) {
  int count = 0;
  for (int d = batch.size() - 1; d >= 0; --d, ++count) {
    if (count == 0 || batch[d] == 1) continue;
    const auto continues = [&](const Dims& strides) {
      return strides[d] == strides[d + 1] * batch[d + 1];
    };
    if (!continues(a.strides) || !continues(b.strides)) break;
  }
  return count;
}

namespace {

/// A stack of matrices in the form that BLAS reads.
struct Matrices {
  Stack stack;
  bool transpose;
  int64_t leading;  ///< elements from one stored row to the next
};

Matrices matrices_of(const Value& value, const Layout& layout, DType dtype) {
  const int r = layout.shape.size() - 2, c = r + 1;
  const int64_t rows = layout.shape[r], columns = layout.shape[c];
  const int64_t row = layout.strides[r], column = layout.strides[c];
  Matrices m;
  m.stack = stack_of(value, layout, dtype);
  m.transpose = !((column == 1 || columns == 1) && (row >= columns || rows == 1));
  const int64_t step = m.transpose ? (columns == 1 ? rows : column) : (rows == 1 ? columns : row);
  m.leading = std::max(step, m.transpose ? rows : columns);
  return m;
}

// Vectors that multiply one matrix, and matrices that multiply one vector, become the rows of one
// product where they follow each other. BLAS computes it faster than many small ones.
void join_rows(runtime::Gemm& call, Dims& batch, Matrices& a, Matrices& b) {
  if (call.m != 1 && call.n != 1) return;
  while (!batch.empty() && !a.transpose) {
    const int last = batch.size() - 1;
    const int64_t step = a.stack.strides[last] / size_of(call.dtype);
    if (batch[last] != 1) {
      if (b.stack.strides[last] != 0 || step < call.k) return;
      if (call.m > 1 && step != call.m * a.leading) return;
      if (batch[last] > std::numeric_limits<int32_t>::max() / call.m) return;  // BLAS's integers
      if (call.m == 1) a.leading = step;
      call.m *= batch[last];
    }
    for (Dims* dims : {&batch, &a.stack.strides, &b.stack.strides}) dims->erase(last);
  }
}

void multiply_all(const runtime::Blas& blas, runtime::Gemm call, Dims batch, Matrices a, Matrices b,
                  char* c, void* stream) {
  join_rows(call, batch, a, b);
  call.transpose_a = a.transpose;
  call.transpose_b = b.transpose;
  call.lda = a.leading;
  call.ldb = b.leading;
  call.ldc = call.n;
  call.step_c = call.m * call.n;
  Dims outer = batch;
  const int last = batch.size() - 1;
  // cuBLAS refuses batches of complex matrices with a negative step.
  if (blas.takes_batches() && last >= 0 && a.stack.strides[last] >= 0 &&
      b.stack.strides[last] >= 0) {
    const int item = size_of(call.dtype);
    for (int even = even_dimensions(batch, a.stack, b.stack); even > 0; --even) {
      call.count *= outer.back();
      outer.erase(outer.size() - 1);
    }
    call.step_a = a.stack.strides[last] / item;
    call.step_b = b.stack.strides[last] / item;
  }
  const int64_t step = call.step_c * call.count * size_of(call.dtype);
  each_product(outer, a.stack, b.stack, [&](int64_t at_a, int64_t at_b, int64_t i) {
    call.a = a.stack.data + at_a;
    call.b = b.stack.data + at_b;
    call.c = c + i * step;
    blas.gemm(call, stream);
  });
}

}  // namespace

void ProductRecipe::launch(Value& value, std::span<const Operated> operands) const {
  Value &left = *operands[0].value, &right = *operands[1].value;
  allocate(value);
  runtime::Gemm call;
  call.dtype = value.dtype;
  call.precision = precision_;
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
  const auto work = [=, a = matrices_of(left, *a_, value.dtype),
                     b = matrices_of(right, *b_, value.dtype),
                     c = static_cast<char*>(value.memory.data())](void* stream) {
    multiply_all(*blas, call, batch, a, b, c, stream);
  };
  runtime::DriverQueue& driver = *value.queue.state()->driver;
  const int64_t read = left.layout->size + right.layout->size;
  value.written = runtime::profiled(
      value.queue,
      {profiling::Kind::kLibrary, "matmul", value.layout->size,
       (read + value.layout->size) * size_of(value.dtype)},
      [&] {
        if (blas->works_in_streams())
          return runtime::interop_of(driver).submit_native(work, depends);
        // The memory is kept until the product is done.
        return driver.submit_host(
            [work, a = left.memory, b = right.memory, c = value.memory] { work(nullptr); },
            depends);
      });
  note_read(left, value.written);
  note_read(right, value.written);
}

std::string ProductRecipe::describe(const Value&) const { return "matmul"; }

}  // namespace hither::array
