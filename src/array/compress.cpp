#include "array/compress.h"

#include <vector>

#include <hither/manipulate.h>
#include <hither/ops.h>
#include <hither/scan.h>

#include "array/emit/producers.h"
#include "array/flush.h"
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

/// The parameters of kernels that copy the elements selected by a mask, or their positions if x is
/// null.
struct Taking {
  Ir *result, *counts, *mask, *x;

  Taking(ModuleBuilder& m, bool positions) {
    for (int i = 0; i < (positions ? 3 : 4); ++i) m.parameter(target::Parameter::kPointer);
    m.begin();
    result = m.next_parameter();
    counts = m.next_parameter();
    mask = m.next_parameter();
    x = positions ? nullptr : m.next_parameter();
  }
  void take(ElementEmitter& e, DType dtype, Ir* from, Ir* to) const {
    e.store(dtype, x ? e.load(dtype, x, from) : Element{from}, result, to);
  }
};

// counts[chunk] is the index in the result of each chunk's first element; one more entry marks the
// end of the last chunk.
target::KernelModule emit_keep(DType dtype, bool positions) {
  ModuleBuilder m("hither_mask_keep");
  const Taking p(m, positions);
  llvm::IRBuilder<>& b = m.b();
  ElementEmitter e(b, 1);
  Ir* chunk = m.global_id(0);
  Ir* start = e.load(DType::kInt64, p.counts, chunk).re;
  Ir* end = e.load(DType::kInt64, p.counts, b.CreateNSWAdd(chunk, b.getInt64(1))).re;
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
  p.take(e, dtype, from, to);
  Ir* kept = b.CreateZExt(e.load(DType::kBool, p.mask, from).re, b.getInt64Ty());
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

// The counts give for every element the number of elements selected so far, itself included.
target::KernelModule emit_take(DType dtype, DType counts, bool positions) {
  ModuleBuilder m("hither_mask_take");
  const Taking p(m, positions);
  llvm::IRBuilder<>& b = m.b();
  ElementEmitter e(b, 1);
  Ir* from = m.global_id(0);
  Ir* is_kept = e.load(DType::kBool, p.mask, from).re;
  Ir* to = b.CreateSExt(e.load(counts, p.counts, from).re, b.getInt64Ty());
  emit_if(b, is_kept, {}, [&](const Values&) {
    p.take(e, dtype, from, b.CreateNSWSub(to, b.getInt64(1)));
    return Values{};
  });
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

// For GPUs, where consecutive items access consecutive memory: a running sum of the mask gives each
// element's place in the result.
ValueRef compress_by_scan(Value& mask, Value* x, const Placed& placed) {
  const int64_t size = mask.layout->size;
  const DType dtype = x ? x->dtype : DType::kInt64;
  const DType counts = size <= INT32_MAX ? DType::kInt32 : DType::kInt64;
  ValueRef flat = memory_value(mask.memory, mask.offset_bytes,
                               contiguous_layout(placed.queue, Dims{size}), DType::kBool);
  flat->written = mask.written;
  const Array kept = cumulative_sum(make_array(std::move(flat)), {.axis = 0, .dtype = counts});
  int64_t count = 0;  // item() writes only its lower bytes
  strided_view(kept, Dims{}, Dims{}, size - 1).item(&count);
  const Memory memory =
      Memory::for_work(placed.queue, static_cast<size_t>(count * size_of(dtype)), placed.usm_type);
  ValueRef result = memory_value(memory, 0, contiguous_layout(placed.queue, Dims{count}), dtype);
  if (count == 0) return result;
  std::string key = "mt1";
  key.push_back(static_cast<char>(dtype));
  key.push_back(static_cast<char>(counts));
  key.push_back(x ? 'x' : 'i');
  const ReadyKernel kernel = find_kernel(
      placed.queue, key, [&] { return emit_take(dtype, counts, !x); },
      [&] { return std::string(x ? "mask_select" : "nonzero"); });
  KernelCall call;
  call.writes(memory);
  call.reads(*kept.storage()->value());
  call.reads(mask);
  if (x) call.reads(*x);
  result->written =
      call.submit(placed.queue, kernel, Range(size),
                  size * (1 + size_of(counts) + (x ? size_of(dtype) : 0)) + count * size_of(dtype));
  return result;
}

}  // namespace

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
