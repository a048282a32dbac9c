// Creation of arrays: from values, from host memory, and over existing memory.
#include <cstring>

#include "array/flush.h"
#include "array/graph/value.h"
#include "array/record/work_recorder.h"
#include "array/strided_copy.h"

namespace hither {

using namespace array;

Array empty(const Dims& shape, DType dtype, const Allocate& where) {
  LayoutRef layout = contiguous_layout(where.queue, shape);
  Memory memory(where.queue, static_cast<size_t>(layout->size * size_of(dtype)), where.usm_type);
  return make_array(memory_value(memory, 0, std::move(layout), dtype));
}

Array full(const Dims& shape, const Scalar& value, DType dtype, const Allocate& where) {
  ValueRef node = make_node(ValueKind::kConstant, contiguous_layout(where.queue, shape), dtype,
                            dtype, where.usm_type);
  node->input_count = 1;
  node->inputs[0].dtype = dtype;
  value.write(dtype, node->inputs[0].number);
  node->inputs[0].symbol = value.symbol();
  bound(*node);
  return finish(std::move(node), false);
}

Array iota(int64_t count, const Scalar& start, const Scalar& step, DType dtype,
           const Allocate& where) {
  if (count < 0) throw Error(ErrorKind::kValue, "arange", "negative number of elements");
  return array::positions(Dims{count}, start, step, dtype, where);
}

Array array::positions(const Dims& shape, const Scalar& start, const Scalar& step, DType dtype,
                       const Allocate& where) {
  if (dtype == DType::kBool)
    throw Error(ErrorKind::kType, "arange",
                "dtype bool is not supported; use an integer dtype and astype");
  require_arithmetic("arange", dtype);
  const DType compute = !is_integer(dtype)        ? DType::kFloat64
                        : dtype == DType::kUInt64 ? DType::kUInt64
                                                  : DType::kInt64;
  ValueRef node = make_node(ValueKind::kIota, contiguous_layout(where.queue, shape), dtype, compute,
                            where.usm_type);
  node->input_count = 2;
  const Scalar* numbers[2] = {&start, &step};
  for (int i = 0; i < 2; ++i) {
    Recorder::depend_on(*numbers[i]);
    node->inputs[i].dtype = node->compute;
    if (node->compute == DType::kUInt64 && numbers[i]->kind() == Scalar::Kind::kInt) {
      const int64_t bits = numbers[i]->integer();  // a negative step wraps around as intended
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
  LayoutRef layout = make_layout(queue, shape, strides, 0);
  const int64_t item = size_of(dtype);
  const auto reach = reach_of(shape, strides, item, item);
  int64_t first, end;
  if (!reach || __builtin_add_overflow(offset_bytes, reach->low, &first) ||
      __builtin_add_overflow(offset_bytes, reach->high, &end) ||
      (layout->size > 0 && (first < 0 || end > static_cast<int64_t>(memory.bytes()))))
    throw Error(ErrorKind::kValue, "from_memory",
                "shape, strides and offset reach outside the allocation of " +
                    std::to_string(memory.bytes()) + " bytes");
  // A dense array names its whole value. Any other array is a view of a value that spans the memory
  // which the array accesses.
  LayoutRef whole = layout;
  if (!layout->contiguous) {
    whole = contiguous_layout(queue, Dims{(reach->high - reach->low) / item});
    offset_bytes += reach->low;
    layout = make_layout(queue, shape, strides, -reach->low / item);
  }
  ValueRef value = memory_value(memory, offset_bytes, std::move(whole), dtype);
  Reference<Storage> storage(new Storage(std::move(value)));
  storage->read_only = read_only;
  storage->escaped = true;
  return Array(std::move(storage), std::move(layout), dtype);
}

Array from_host(const void* data, const Dims& shape, const Dims& strides, DType dtype,
                const Allocate& where, const Queue* carrier) {
  const int64_t item = size_of(dtype);
  Array result = empty(shape, dtype, where);
  if (result.size() == 0) return result;
  const Queue& queue = carrier ? *carrier : where.queue;
  const ValueRef target = result.storage()->value();
  const size_t bytes = static_cast<size_t>(result.size() * item);
  if (is_contiguous(shape, strides, item)) {
    queue.copy(target->memory.data(), data, bytes).wait();
    return result;
  }
  std::unique_ptr<char[]> gathered(new char[bytes]);
  strided_copy(gathered.get(), contiguous_strides(shape, item), data, strides, shape, item);
  queue.copy(target->memory.data(), gathered.get(), bytes).wait();
  return result;
}

}  // namespace hither
