#include "array/compress.h"

#include <vector>

#include "array/emit_producers.h"
#include "array/flush.h"
#include "array/kernel_call.h"

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

// Parameters: result, starts (one more than there are chunks), mask, and of elements x.
target::KernelModule emit_keep(DType dtype, bool positions) {
  ModuleBuilder m("hither_mask_keep");
  for (int i = 0; i < (positions ? 3 : 4); ++i) m.parameter(target::Parameter::kPointer);
  llvm::IRBuilder<>& b = m.begin();
  Ir* result = m.next_parameter();
  Ir* starts = m.next_parameter();
  Ir* mask = m.next_parameter();
  Ir* x = positions ? nullptr : m.next_parameter();
  ElementEmitter e(b, 1);
  Ir* chunk = m.global_id(0);
  Ir* start = e.load(DType::kInt64, starts, chunk).re;
  Ir* end = e.load(DType::kInt64, starts, b.CreateNSWAdd(chunk, b.getInt64(1))).re;
  Ir* first = b.CreateNSWMul(chunk, b.getInt64(kChunk));
  // Every element is written to the next free place, and stays there if the mask has it; the loop
  // ends with the chunk's last one, so that no write leaves its part.
  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::BasicBlock* head = llvm::BasicBlock::Create(b.getContext(), "keep", m.function());
  llvm::BasicBlock* done = llvm::BasicBlock::Create(b.getContext(), "done", m.function());
  b.CreateCondBr(b.CreateICmpSLT(start, end), head, done);
  b.SetInsertPoint(head);
  llvm::PHINode* from = b.CreatePHI(b.getInt64Ty(), 2);
  llvm::PHINode* to = b.CreatePHI(b.getInt64Ty(), 2);
  from->addIncoming(first, before);
  to->addIncoming(start, before);
  e.store(dtype, positions ? Element{from} : e.load(dtype, x, from), result, to);
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

// Exclusive prefix sums of the chunks' counts, on the host: there are few.
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

}  // namespace

ValueRef compress(Value& mask, Value* x, const Placed& placed) {
  // Before anything is submitted: a submission under no lock may wait, and never starts over.
  for (const Value* v : {static_cast<const Value*>(&mask), static_cast<const Value*>(x)})
    if (v) (void)v->written.event().wait_for_error();
  const int64_t size = mask.layout->size, chunks = (size + kChunk - 1) / kChunk;
  const DType dtype = x ? x->dtype : DType::kInt64;
  const std::vector<int64_t> starts =
      size == 0 ? std::vector<int64_t>{0} : starts_of(mask, chunks, placed.queue);
  const int64_t count = starts.back();
  const Memory memory(placed.queue, static_cast<size_t>(count * size_of(dtype)), placed.usm_type);
  ValueRef result = memory_value(memory, 0, contiguous_layout(placed.queue, Dims{count}), dtype);
  if (count == 0) return result;
  const Memory where(placed.queue, starts.size() * 8, UsmType::kDevice);
  const Event copied = placed.queue.copy(where.data(), starts.data(), starts.size() * 8);
  copied.wait();  // `starts` ends here
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
