#include "array/compress.h"

#include <vector>

#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/scan.h>

#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"
#include "array/plan/gpu_forms.h"
#include "runtime/driver.h"
#include "runtime/queue_state.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

constexpr int64_t kChunk = 8192;
constexpr int kLanes = 64;

// counts[chunk] = number of true elements. Parameters: counts, mask, size.
target::KernelModule emit_count() {
  ModuleBuilder m("hither_mask_count");
  m.parameter(target::Parameter::kPointer);
  m.parameter(target::Parameter::kPointer);
  m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  Ir* counts = m.next_parameter();
  Ir* mask = m.next_parameter();
  Ir* size = m.next_parameter();
  Ir* chunk = m.global_id(0);
  Ir* begin = b.CreateNSWMul(chunk, b.getInt64(kChunk));
  Ir* end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                    b.CreateNSWAdd(begin, b.getInt64(kChunk)), size);
  Ir* rest = b.CreateAnd(b.CreateNSWSub(end, begin), b.getInt64(kLanes - 1));
  Ir* full = b.CreateNSWSub(end, rest);
  ElementEmitter e(b, kLanes);
  auto add = [&](Ir* at, Ir* lanes, const Values& carried) {
    Ir* bits = b.CreateBitCast(e.load(DType::kBool, mask, at, nullptr, lanes).re, b.getInt64Ty());
    return Values{b.CreateAdd(carried[0], b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits))};
  };
  Values count = emit_loop(b, begin, full, b.getInt64(kLanes), {b.getInt64(0)},
                           [&](Ir* at, const Values& c) { return add(at, nullptr, c); });
  count = emit_if(b, b.CreateICmpNE(rest, b.getInt64(0)), count, [&](const Values& c) {
    Ir* ids = b.CreateStepVector(e.widen(b.getInt64Ty()));
    return add(full, b.CreateICmpULT(ids, b.CreateVectorSplat(kLanes, rest)), c);
  });
  ElementEmitter one(b, 1);
  one.store(DType::kInt64, {count[0]}, counts, chunk);
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

// counts[chunk] is the index in the result of each chunk's first element; one more entry marks the
// end of the last chunk.
target::KernelModule emit_keep(DType dtype, bool positions) {
  ModuleBuilder m("hither_mask_keep");
  for (int i = 0; i < (positions ? 3 : 4); ++i) m.parameter(target::Parameter::kPointer);
  llvm::IRBuilder<>& b = m.begin();
  Ir* result = m.next_parameter();
  Ir* counts = m.next_parameter();
  Ir* mask = m.next_parameter();
  Ir* x = positions ? nullptr : m.next_parameter();
  ElementEmitter e(b, 1);
  Ir* chunk = m.global_id(0);
  Ir* start = e.load(DType::kInt64, counts, chunk).re;
  Ir* end = e.load(DType::kInt64, counts, b.CreateNSWAdd(chunk, b.getInt64(1))).re;
  Ir* first = b.CreateNSWMul(chunk, b.getInt64(kChunk));
  // Every element is written to the next free place, and the place advances if the mask selects the
  // element. The loop ends after the chunk's last selected element, so no write leaves the chunk's
  // part of the result.
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* head = llvm::BasicBlock::Create(b.getContext(), "keep", m.function());
  llvm::BasicBlock* done = llvm::BasicBlock::Create(b.getContext(), "done", m.function());
  b.CreateCondBr(b.CreateICmpSLT(start, end), head, done);
  b.SetInsertPoint(head);
  llvm::PHINode* from = b.CreatePHI(b.getInt64Ty(), 2);
  llvm::PHINode* to = b.CreatePHI(b.getInt64Ty(), 2);
  from->addIncoming(first, before);
  to->addIncoming(start, before);
  e.store(dtype, x ? e.load(dtype, x, from) : Element{from}, result, to);
  Ir* kept = b.CreateZExt(e.load(DType::kBool, mask, from).re, b.getInt64Ty());
  Ir* next = b.CreateNSWAdd(to, kept);
  from->addIncoming(b.CreateNSWAdd(from, b.getInt64(1)), head);
  to->addIncoming(next, head);
  b.CreateCondBr(b.CreateICmpSLT(next, end), head, done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

// Exclusive prefix sums of the chunks' counts. They are few, so the host computes them.
std::vector<int64_t> starts_of(Value& mask, int64_t chunks, const Queue& queue) {
  const ReadyKernel kernel =
      find_kernel(queue, "mc1", emit_count, [] { return std::string("mask_count"); });
  const Memory counts(queue, static_cast<size_t>(chunks) * 8, UsmType::kHost);
  KernelCall call;
  call.writes(counts);
  call.reads(mask);
  call.integer(mask.layout->size);
  call.submit(queue, kernel, Range(chunks, 1), mask.layout->size).wait();
  const auto* count = static_cast<const int64_t*>(counts.data());
  std::vector<int64_t> starts{0};
  for (int64_t i = 0; i < chunks; ++i) starts.push_back(starts.back() + count[i]);
  return starts;
}

/// Copies the elements at which numbers step up.
struct StepKernel {
  DType dtype, numbers;
  bool positions;  ///< stores the elements' positions instead
  int first;       ///< number of the first element that is copied
  int each;        ///< elements of an item

  std::string key() const {
    std::string key = "mt2";
    for (int v : {static_cast<int>(dtype), static_cast<int>(numbers), static_cast<int>(positions),
                  first, each})
      key.push_back(static_cast<char>(v));
    return key;
  }

  // Parameters: result, numbers, x unless positions are stored, index of the last element.
  target::KernelModule emit() const {
    ModuleBuilder m("hither_mask_take");
    for (int i = 0; i < (positions ? 2 : 3); ++i) m.parameter(target::Parameter::kPointer);
    m.parameter(target::Parameter::kInt64);
    llvm::IRBuilder<>& b = m.begin();
    Ir* result = m.next_parameter();
    Ir* number = m.next_parameter();
    Ir* x = positions ? nullptr : m.next_parameter();
    Ir* last = m.next_parameter();
    ElementEmitter e(b, 1);
    // Consecutive items copy consecutive elements. Loads are issued before the first store.
    Ir *item = m.global_id(0), *items = m.global_size(0), *zero = b.getInt64(0);
    Values from, own, before;
    for (int i = 0; i < each; ++i) {
      Ir* at = b.CreateNSWAdd(item, b.CreateNSWMul(items, b.getInt64(static_cast<uint64_t>(i))));
      if (i > 0) at = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, at, last);
      from.push_back(at);
      own.push_back(e.load(numbers, number, at).re);
      Ir* previous =
          b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, zero, b.CreateNSWSub(at, b.getInt64(1)));
      before.push_back(e.load(numbers, number, previous).re);
    }
    before[0] =
        b.CreateSelect(b.CreateICmpEQ(item, zero),
                       llvm::ConstantInt::getSigned(own[0]->getType(), first - 1), before[0]);
    for (size_t i = 0; i < from.size(); ++i)
      emit_if(b, b.CreateICmpNE(own[i], before[i]), {}, [&](const Values&) {
        Ir* to = b.CreateNSWSub(b.CreateSExt(own[i], b.getInt64Ty()),
                                b.getInt64(static_cast<uint64_t>(first)));
        e.store(dtype, x ? e.load(dtype, x, from[i]) : Element{from[i]}, result, to);
        return Values{};
      });
    b.CreateRetVoid();
    target::KernelModule module = m.finish();
    module.independent_items = true;
    return module;
  }
};

// The elements of `x` (null: their positions) at which `numbers` step up, which begin with at most
// `first` and of which the last is `first + count - 1`.
ValueRef at_steps(Value& numbers, int first, int64_t count, Value* x, const Placed& placed) {
  constexpr int kEachOnGpu = 8;
  const StepKernel step{x ? x->dtype : DType::kInt64, numbers.dtype, !x, first,
                        takes_gpu_forms(placed.queue) ? kEachOnGpu : 1};
  const Memory memory = Memory::for_work(
      placed.queue, static_cast<size_t>(count * size_of(step.dtype)), placed.usm_type);
  ValueRef result =
      memory_value(memory, 0, contiguous_layout(placed.queue, Dims{count}), step.dtype);
  if (count == 0) return result;
  const ReadyKernel kernel = find_kernel(
      placed.queue, step.key(), [&] { return step.emit(); },
      [&] { return std::string(x ? "mask_select" : "nonzero"); });
  KernelCall call;
  call.writes(memory);
  call.reads(numbers);
  if (x) call.reads(*x);
  const int64_t size = numbers.layout->size;
  call.integer(size - 1);
  result->written = call.submit(placed.queue, kernel, Range(divide_up(size, step.each)),
                                size * size_of(numbers.dtype) + 2 * count * size_of(step.dtype));
  return result;
}

// For GPUs, where consecutive items access consecutive memory: a running sum of the mask gives each
// element's place in the result.
ValueRef compress_by_scan(Value& mask, Value* x, const Placed& placed) {
  const int64_t size = mask.layout->size;
  const DType counts = size <= INT32_MAX ? DType::kInt32 : DType::kInt64;
  ValueRef flat = memory_value(mask.memory, mask.offset_bytes,
                               contiguous_layout(placed.queue, Dims{size}), DType::kBool);
  flat->written = mask.written;
  const Array kept = cumulative_sum(make_array(std::move(flat)), {.axis = 0, .dtype = counts});
  int64_t count = 0;  // item() writes only its lower bytes
  strided_view(kept, Dims{}, Dims{}, size - 1).item(&count);
  return at_steps(*kept.storage()->value(), 1, count, x, placed);
}

}  // namespace

ValueRef first_of_runs(Value& numbers, int64_t count, Value* x, const Placed& placed) {
  return at_steps(numbers, 0, count, x, placed);
}

ValueRef compress(Value& mask, Value* x, const Placed& placed) {
  // Wait for inputs first where a submission would. No graph lock is held here, so WaitFirst could
  // not restart the work.
  if (placed.queue.state()->driver->submission_waits())
    for (const Value* v : {static_cast<const Value*>(&mask), static_cast<const Value*>(x)})
      if (v) (void)v->written.event().wait_for_error();
  const int64_t size = mask.layout->size, chunks = (size + kChunk - 1) / kChunk;
  if (size > 0 && takes_gpu_forms(placed.queue)) return compress_by_scan(mask, x, placed);
  const DType dtype = x ? x->dtype : DType::kInt64;
  const std::vector<int64_t> starts =
      size == 0 ? std::vector<int64_t>{0} : starts_of(mask, chunks, placed.queue);
  const int64_t count = starts.back();
  const Memory memory(placed.queue, static_cast<size_t>(count * size_of(dtype)), placed.usm_type);
  ValueRef result = memory_value(memory, 0, contiguous_layout(placed.queue, Dims{count}), dtype);
  if (count == 0) return result;
  const Memory where(placed.queue, starts.size() * 8, UsmType::kDevice);
  const Event copied = placed.queue.copy(where.data(), starts.data(), starts.size() * 8);
  copied.wait();  // `starts` is destroyed after this
  std::string key = "mk1";
  key.push_back(static_cast<char>(dtype));
  key.push_back(x ? 'x' : 'i');
  const ReadyKernel kernel = find_kernel(
      placed.queue, key, [&] { return emit_keep(dtype, !x); },
      [&] { return std::string(x ? "mask_select" : "nonzero"); });
  KernelCall call;
  call.writes(memory);
  call.reads(where, copied);
  call.reads(mask);
  if (x) call.reads(*x);
  result->written = call.submit(placed.queue, kernel, Range(chunks, 1),
                                size * (1 + (x ? size_of(dtype) : 0)) + count * size_of(dtype));
  return result;
}

}  // namespace hither::array
