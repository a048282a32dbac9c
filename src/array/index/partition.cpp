#include "array/index/partition.h"

#include <bit>

#include <fmt/format.h>

#include "array/emit/combine.h"
#include "array/emit/producers.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

constexpr int64_t kParts = 256;     ///< of the slots: at most so many
constexpr int64_t kChunk = 16384;   ///< indices; what an item stores of them stays in its cache
constexpr int64_t kLeast = 131072;  ///< indices for which the partition is worth its launches
/// An index costs the partition twice the time of the one item, if the array is in its cache.
constexpr int64_t kUnits = 4, kCache = 2 << 20;
/// A chunk has a row of these numbers: where the indices of each part begin in it, and the end of
/// the last part. One more is used meanwhile.
constexpr int64_t kRow = kParts + 2;

/// Everything that the code depends on.
struct PartitionKernel {
  DType dtype;
  bool stores = false;  ///< the second kernel
  bool unit = false;    ///< slots are offsets, counted from the first
  bool scalar = false;  ///< there is one value
  std::optional<Reduction> combine;

  std::string key() const {
    std::string k = "sp1";
    for (int v : {static_cast<int>(dtype), static_cast<int>(stores), static_cast<int>(unit),
                  static_cast<int>(scalar), combine ? 1 + static_cast<int>(*combine) : 0})
      k.push_back(static_cast<char>(v));
    return k;
  }
};

/// A loop of one item over numbers, without carried values.
template <class Body>
void each(llvm::IRBuilder<>& b, Ir* begin, Ir* end, Body&& body) {
  emit_loop(b, begin, end, b.getInt64(1), {}, [&](Ir* i, const Values&) {
    body(i);
    return Values{};
  });
}

Ir* int_at(llvm::IRBuilder<>& b, DType t, Ir* base, Ir* i) {
  ElementEmitter e(b, 1);
  return e.cast(e.load(t, base, i), t, DType::kInt64).re;
}

void store_int(llvm::IRBuilder<>& b, DType t, Ir* value, Ir* base, Ir* i) {
  ElementEmitter e(b, 1);
  e.store(t, e.cast({value}, DType::kInt64, t), base, i);
}

/// The first kernel. An item sorts a chunk of the indices, stably, by the parts of their slots: it
/// stores their slots and their values. Parameters: begins, offsets, slots, number of indices,
/// GatherShape's `first` and `step`, shift, and values before and after unless there is one value.
target::KernelModule emit_parts(const PartitionKernel& k) {
  ModuleBuilder m("hither_partition");
  for (int i = 0; i < 3; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 4; ++i) m.parameter(target::Parameter::kInt64);
  for (int i = 0; i < (k.scalar ? 0 : 2); ++i) m.parameter(target::Parameter::kPointer);
  llvm::IRBuilder<>& b = m.begin();
  Ir *begins = m.next_parameter(), *offsets = m.next_parameter(), *slots = m.next_parameter();
  Ir *size = m.next_parameter(), *first = m.next_parameter(), *step = m.next_parameter();
  Ir* shift = m.next_parameter();
  Ir* from = k.scalar ? nullptr : m.next_parameter();
  Ir* to = k.scalar ? nullptr : m.next_parameter();
  Ir *zero = b.getInt64(0), *one = b.getInt64(1), *two = b.getInt64(2);
  Ir* chunk = b.CreateNSWMul(m.global_id(0), b.getInt64(kChunk));
  Ir* end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                    b.CreateNSWAdd(chunk, b.getInt64(kChunk)), size);
  begins = b.CreateGEP(b.getInt32Ty(), begins, b.CreateNSWMul(m.global_id(0), b.getInt64(kRow)));
  const auto slot_of = [&](Ir* i) {
    Ir* slot = b.CreateNSWSub(int_at(b, DType::kInt64, offsets, i), first);
    return k.unit ? slot : b.CreateExactSDiv(slot, step);
  };
  const auto advance = [&](Ir* at) {
    Ir* number = int_at(b, DType::kInt32, begins, at);
    store_int(b, DType::kInt32, b.CreateNSWAdd(number, one), begins, at);
    return number;
  };
  each(b, zero, b.getInt64(kRow), [&](Ir* i) { store_int(b, DType::kInt32, zero, begins, i); });
  each(b, chunk, end,
       [&](Ir* i) { advance(b.CreateNSWAdd(b.CreateLShr(slot_of(i), shift), two)); });
  emit_loop(b, two, b.getInt64(kRow), one, {zero}, [&](Ir* i, const Values& sum) {
    Ir* next = b.CreateNSWAdd(sum[0], int_at(b, DType::kInt32, begins, i));
    store_int(b, DType::kInt32, next, begins, i);
    return Values{next};
  });
  // Part p begins at begins[p + 1], which advances to its end: the beginning of part p + 1.
  each(b, chunk, end, [&](Ir* i) {
    Ir* slot = slot_of(i);
    Ir* at = advance(b.CreateNSWAdd(b.CreateLShr(slot, shift), one));
    at = b.CreateNSWAdd(chunk, at);
    store_int(b, DType::kUInt32, slot, slots, at);
    if (k.scalar) return;
    ElementEmitter e(b, 1);
    e.store(k.dtype, e.load(k.dtype, from, i), to, at);
  });
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

// The second kernel. An item has a part. Parameters: begins, slots, values, x, number of chunks,
// GatherShape's `first` and `step`.
target::KernelModule emit_stores(const PartitionKernel& k) {
  ModuleBuilder m("hither_partition_store");
  for (int i = 0; i < 4; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 3; ++i) m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  Ir *begins = m.next_parameter(), *slots = m.next_parameter(), *values = m.next_parameter();
  Ir *x = m.next_parameter(), *chunks = m.next_parameter();
  Ir *first = m.next_parameter(), *step = m.next_parameter();
  Ir* part = m.global_id(0);
  each(b, b.getInt64(0), chunks, [&](Ir* chunk) {
    Ir* row = b.CreateNSWAdd(b.CreateNSWMul(chunk, b.getInt64(kRow)), part);
    Ir* start = b.CreateNSWMul(chunk, b.getInt64(kChunk));
    const auto bound = [&](Ir* at) {
      return b.CreateNSWAdd(start, int_at(b, DType::kInt32, begins, at));
    };
    each(b, bound(row), bound(b.CreateNSWAdd(row, b.getInt64(1))), [&](Ir* i) {
      ElementEmitter e(b, 1);
      Ir* slot = int_at(b, DType::kUInt32, slots, i);
      Ir* at = b.CreateNSWAdd(first, k.unit ? slot : b.CreateNSWMul(slot, step));
      const Element value = e.load(k.dtype, values, k.scalar ? b.getInt64(0) : i);
      e.store(
          k.dtype,
          k.combine ? combined(b, e, *k.combine, k.dtype, e.load(k.dtype, x, at), value) : value, x,
          at);
    });
  });
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

ReadyKernel find(const Queue& queue, const PartitionKernel& k) {
  return find_kernel(
      queue, k.key(), [&] { return k.stores ? emit_stores(k) : emit_parts(k); },
      [&] {
        if (!k.stores) return std::string("partition");
        return k.combine ? fmt::format("scatter_{}", name_of(*k.combine)) : std::string("scatter");
      });
}

}  // namespace

bool takes_partition(const Device& device, const GatherShape& shape, DType dtype, int64_t count) {
  if (count < kLeast || count > INT32_MAX || shape.slots <= 1 || shape.slots > UINT32_MAX)
    return false;
  const InfoValue units = device.info("max_compute_units");
  const auto* number = std::get_if<int64_t>(&units);
  return shape.slots * size_of(dtype) > kCache || (number && *number >= kUnits);
}

std::optional<Event> run_partition(Value& target, char* x, DType dtype, const GatherShape& shape,
                                   Value& offsets, Value& values, bool scalar,
                                   std::optional<Reduction> combine, std::span<const Event> after) {
  const Queue& queue = target.queue;
  const int64_t count = offsets.layout->size, chunks = divide_up(count, kChunk);
  const int64_t item = scalar ? 0 : size_of(dtype);
  const auto bits = [](int64_t n) {
    return static_cast<int>(std::bit_width(static_cast<uint64_t>(n)));
  };
  const int64_t shift = std::max(0, bits(shape.slots - 1) - bits(kParts - 1));
  const auto memory = [&](int64_t bytes) {
    return table_memory(queue, static_cast<size_t>(bytes));
  };
  const Memory begins = memory(chunks * kRow * 4), slots = memory(count * 4);
  const Memory moved = memory(count * item);
  if (!begins || !slots || !moved) return std::nullopt;

  PartitionKernel kernel{.dtype = dtype, .unit = shape.step == 1, .scalar = scalar};
  KernelCall parts;
  parts.writes(begins);
  parts.reads(offsets);
  parts.writes(slots);
  for (int64_t n : {count, shape.first, shape.step, shift}) parts.integer(n);
  if (!scalar) parts.reads(values);
  if (!scalar) parts.writes(moved);
  if (scalar) parts.after(values.written.event());  // no later launch may throw WaitFirst
  parts.after(target.written.event());
  for (const Event& e : after) parts.after(e);
  const Event sorted =
      parts.submit(queue, find(queue, kernel), Range(chunks, 1), (12 + 2 * item) * count, count);
  kernel.stores = true;
  kernel.combine = combine;
  KernelCall stores;
  stores.reads(begins, sorted);
  stores.reads(slots, sorted);
  if (scalar)
    stores.reads(values);
  else
    stores.reads(moved, sorted);
  stores.pointer(x);
  for (int64_t n : {chunks, shape.first, shape.step}) stores.integer(n);
  const int64_t bytes = (4 + item + (combine ? 2 : 1) * size_of(dtype)) * count;
  return stores.submit(queue, find(queue, kernel), Range(kParts, 1), bytes, count);
}

}  // namespace hither::array
