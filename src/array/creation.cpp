// Arrays out of nothing, out of host memory, and over memory that exists.
#include <cstring>

#include "array/flush.h"
#include "array/value.h"

namespace hither {

using namespace array;

namespace {

void check_shape(const Dims& shape, const char* where) {
  int64_t size = 1;
  for (int64_t n : shape) {
    if (n < 0)
      throw Error(ErrorKind::kValue, where, "negative extent " + std::to_string(n) + " in shape");
    if (n != 0 && __builtin_mul_overflow(size, n, &size))
      throw Error(ErrorKind::kValue, where, "the shape has more elements than an int64 can count");
  }
  int64_t bytes;
  if (__builtin_mul_overflow(size, int64_t{16}, &bytes))
    throw Error(ErrorKind::kMemory, where, "the shape needs more memory than any machine has");
}

}  // namespace

Array empty(const Dims& shape, DType dtype, const Allocate& where) {
  check_shape(shape, "empty");
  LayoutRef layout = contiguous_layout(where.queue, shape);
  Memory memory(where.queue, static_cast<size_t>(layout->size * size_of(dtype)), where.usm_type);
  return make_array(memory_value(memory, 0, std::move(layout), dtype));
}

Array full(const Dims& shape, const Scalar& value, DType dtype, const Allocate& where) {
  check_shape(shape, "full");
  ValueRef node(new Value(contiguous_layout(where.queue, shape), dtype));
  node->kind = ValueKind::kConstant;
  node->compute = dtype;
  node->usm_type = where.usm_type;
  node->input_count = 1;
  node->inputs[0].dtype = dtype;
  value.write(dtype, node->inputs[0].number);
  bound(*node);
  return finish(std::move(node), false);
}

Array iota(int64_t count, const Scalar& start, const Scalar& step, DType dtype,
           const Allocate& where) {
  if (count < 0) throw Error(ErrorKind::kValue, "arange", "negative number of elements");
  if (dtype == DType::kBool)
    throw Error(ErrorKind::kType, "arange", "bool has no steps; use an integer dtype and astype");
  ValueRef node(new Value(contiguous_layout(where.queue, Dims{count}), dtype));
  node->kind = ValueKind::kIota;
  node->compute = !is_integer(dtype)        ? DType::kFloat64
                  : dtype == DType::kUInt64 ? DType::kUInt64
                                            : DType::kInt64;
  node->usm_type = where.usm_type;
  node->input_count = 2;
  const Scalar* numbers[2] = {&start, &step};
  for (int i = 0; i < 2; ++i) {
    node->inputs[i].dtype = node->compute;
    if (node->compute == DType::kUInt64 && numbers[i]->kind() == Scalar::Kind::kInt) {
      const int64_t bits = numbers[i]->integer();  // a negative step wraps around, rightly
      std::memcpy(node->inputs[i].number, &bits, sizeof bits);
    } else {
      numbers[i]->write(node->compute, node->inputs[i].number);
    }
  }
  bound(*node);
  return finish(std::move(node), false);
}

Array from_memory(const Memory& memory, int64_t offset_bytes, const Dims& shape,
                  const Dims& strides, DType dtype, const Queue& queue, bool read_only) {
  check_shape(shape, "from_memory");
  LayoutRef layout = make_layout(queue, shape, strides, 0);
  const Extent extent = extent_of(*layout);
  const int64_t item = size_of(dtype);
  if (layout->size > 0 &&
      (offset_bytes + extent.low * item < 0 ||
       offset_bytes + (extent.high + 1) * item > static_cast<int64_t>(memory.bytes())))
    throw Error(ErrorKind::kValue, "from_memory",
                "shape, strides and offset reach outside the allocation of " +
                    std::to_string(memory.bytes()) + " bytes");
  // A dense array is its value in full; any other is a view of a value that spans the memory it
  // touches.
  LayoutRef whole = layout;
  if (!layout->contiguous) {
    whole = contiguous_layout(queue, Dims{extent.high - extent.low + 1});
    offset_bytes += extent.low * item;
    layout = make_layout(queue, shape, strides, -extent.low);
  }
  ValueRef value = memory_value(memory, offset_bytes, std::move(whole), dtype);
  Reference<Storage> storage(new Storage(std::move(value)));
  storage->read_only = read_only;
  storage->escaped = true;
  return Array(std::move(storage), std::move(layout), dtype);
}

Array from_host(const void* data, const Dims& shape, const Dims& strides, DType dtype,
                const Allocate& where) {
  const int64_t item = size_of(dtype);
  Array result = empty(shape, dtype, where);
  if (result.size() == 0) return result;
  const ValueRef target = result.storage()->value();
  bool dense = true;
  int64_t step = item;
  for (int d = shape.size() - 1; d >= 0; --d) {
    if (shape[d] != 1 && strides[d] != step) dense = false;
    step *= shape[d];
  }
  const size_t bytes = static_cast<size_t>(result.size() * item);
  if (dense) {
    where.queue.copy(target->memory.data(), data, bytes).wait();
    return result;
  }
  // Gathered on the host, row by row of the last axis.
  std::unique_ptr<char[]> gathered(new char[bytes]);
  Dims at(shape.size(), 0);
  const int last = shape.size() - 1;
  char* out = gathered.get();
  for (bool more = true; more;) {
    const char* from = static_cast<const char*>(data);
    for (int d = 0; d < last; ++d) from += at[d] * strides[d];
    for (int64_t i = 0; i < shape[last]; ++i, out += item)
      std::memcpy(out, from + i * strides[last], static_cast<size_t>(item));
    more = false;
    for (int d = last - 1; d >= 0 && !more; --d) {
      if (++at[d] < shape[d])
        more = true;
      else
        at[d] = 0;
    }
  }
  where.queue.copy(target->memory.data(), gathered.get(), bytes).wait();
  return result;
}

}  // namespace hither
