#include "array/compress.h"

#include <vector>

#include <hither/manipulate.h>
#include <hither/scan.h>

#include "array/emit/group.h"
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

/// The parameters of kernels that count the true elements of chunks.
struct CountParameters {
  Ir *counts, *mask, *size;

  explicit CountParameters(ModuleBuilder& m) {
    m.parameter(target::Parameter::kPointer);
    m.parameter(target::Parameter::kPointer);
    m.parameter(target::Parameter::kInt64);
    m.begin();
    counts = m.next_parameter();
    mask = m.next_parameter();
    size = m.next_parameter();
  }
};

// counts[chunk] = number of true elements.
target::KernelModule emit_count() {
  ModuleBuilder m("hither_mask_count");
  const CountParameters p(m);
  llvm::IRBuilder<>& b = m.b();
  Ir* chunk = m.global_id(0);
  Ir* begin = b.CreateNSWMul(chunk, b.getInt64(kChunk));
  Ir* end = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin,
                                    b.CreateNSWAdd(begin, b.getInt64(kChunk)), p.size);
  Ir* rest = b.CreateAnd(b.CreateNSWSub(end, begin), b.getInt64(kLanes - 1));
  Ir* full = b.CreateNSWSub(end, rest);
  ElementEmitter e(b, kLanes);
  auto add = [&](Ir* at, Ir* lanes, const Values& carried) {
    Ir* bits = b.CreateBitCast(e.load(DType::kBool, p.mask, at, nullptr, lanes).re, b.getInt64Ty());
    return Values{b.CreateAdd(carried[0], b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits))};
  };
  Values count = emit_loop(b, begin, full, b.getInt64(kLanes), {b.getInt64(0)},
                           [&](Ir* at, const Values& c) { return add(at, nullptr, c); });
  count = emit_if(b, b.CreateICmpNE(rest, b.getInt64(0)), count, [&](const Values& c) {
    Ir* ids = b.CreateStepVector(e.widen(b.getInt64Ty()));
    return add(full, b.CreateICmpULT(ids, b.CreateVectorSplat(kLanes, rest)), c);
  });
  ElementEmitter one(b, 1);
  one.store(DType::kInt64, {count[0]}, p.counts, chunk);
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

// GPUs: groups of kItems items count and copy chunks, of which each item has kEach elements.
// Loads of kTogether copied elements overlap.
constexpr int kItems = 256, kEach = 8, kTogether = 4;

/// An item's part of a group's chunk of the mask. Elements past the end count as false.
struct PartOfChunk {
  Values index, is_true;
  Ir* count;  ///< i32

  /// `aligned`: the mask's address is a multiple of kEach.
  PartOfChunk(ModuleBuilder& m, ElementEmitter& e, Ir* mask, Ir* size, bool aligned) {
    llvm::IRBuilder<>& b = m.b();
    Ir* first = b.CreateNSWMul(m.global_id(0), b.getInt64(kEach));
    Ir* end = b.CreateNSWAdd(first, b.getInt64(kEach));
    // The elements are the bytes of one word.
    Ir* word = emit_if(b, b.CreateICmpSLE(end, size), {b.getInt64(0)}, [&](const Values&) {
      return Values{b.CreateAlignedLoad(b.getInt64Ty(), b.CreateGEP(b.getInt8Ty(), mask, first),
                                        llvm::Align(aligned ? kEach : 1))};
    })[0];
    word = emit_loop(b, first, b.CreateSelect(b.CreateICmpSLE(end, size), first, size),
                     b.getInt64(1), {word}, [&](Ir* i, const Values& w) {
                       Ir* byte = b.CreateZExt(e.load(DType::kBool, mask, i).re, b.getInt64Ty());
                       Ir* shift = b.CreateShl(b.CreateNSWSub(i, first), b.getInt64(3));
                       return Values{b.CreateOr(w[0], b.CreateShl(byte, shift))};
                     })[0];
    // The low bit of each byte that is not 0; the addition carries into no other byte.
    Ir* low = b.getInt64(0x7f7f7f7f7f7f7f7f);
    word = b.CreateOr(b.CreateAdd(b.CreateAnd(word, low), low), word);
    word = b.CreateAnd(b.CreateLShr(word, b.getInt64(7)), b.getInt64(0x0101010101010101));
    count = b.CreateTrunc(b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, word), b.getInt32Ty());
    for (uint64_t i = 0; i < kEach; ++i) {
      index.push_back(b.CreateNSWAdd(first, b.getInt64(i)));
      is_true.push_back(b.CreateTrunc(b.CreateLShr(word, b.getInt64(8 * i)), b.getInt1Ty()));
    }
  }
};

target::KernelModule finish_groups(ModuleBuilder& m) {
  m.b().CreateRetVoid();
  target::KernelModule module = m.finish();
  module.local_size[0] = kItems;
  module.local_size[1] = module.local_size[2] = 1;
  return module;
}

// counts[group] = number of true elements in its chunk, as int32.
target::KernelModule emit_count_by_groups(bool aligned) {
  ModuleBuilder m("hither_mask_count");
  const CountParameters p(m);
  llvm::IRBuilder<>& b = m.b();
  ElementEmitter e(b, 1);
  const PartOfChunk part(m, e, p.mask, p.size, aligned);
  Ir* total = m.call("hither.group_reduce.add.u32", b.getInt32Ty(), {part.count});
  GroupEmitter g(m);
  emit_if(b, b.CreateICmpEQ(g.item(), b.getInt64(0)), {}, [&](const Values&) {
    e.store(DType::kInt32, {total}, p.counts, g.group());
    return Values{};
  });
  return finish_groups(m);
}

/// Copies the elements that a mask selects, or their positions. With `leading` the mask is that of
/// all elements but the first, which is copied too.
struct KeepKernel {
  DType dtype;
  bool positions, leading, aligned;

  std::string key(bool on_gpu) const {
    std::string key = on_gpu ? "mt5" : "mk2";
    for (int v : {static_cast<int>(dtype), static_cast<int>(positions), static_cast<int>(leading),
                  static_cast<int>(aligned)})
      key.push_back(static_cast<char>(v));
    return key;
  }

  // starts[chunk] is the number of selected elements before the chunk; one more entry is that of
  // all. Parameters: result, starts, mask, x unless positions are stored.
  struct Parameters {
    Ir *result, *starts, *mask, *x;
  };

  Parameters begin(ModuleBuilder& m, bool has_size) const {
    for (int i = 0; i < (positions ? 3 : 4); ++i) m.parameter(target::Parameter::kPointer);
    if (has_size) m.parameter(target::Parameter::kInt64);
    m.begin();
    Ir* result = m.next_parameter();
    Ir* starts = m.next_parameter();
    Ir* mask = m.next_parameter();
    return {result, starts, mask, positions ? nullptr : m.next_parameter()};
  }

  /// The number of a mask's element, or of its place among the copied ones, in x or the result.
  Ir* whole(ElementEmitter& e, Ir* number) const {
    llvm::IRBuilder<>& b = e.builder();
    return leading ? b.CreateNSWAdd(number, b.getInt64(1)) : number;
  }
  Element load(ElementEmitter& e, const Parameters& p, Ir* from) const {
    from = whole(e, from);
    return p.x ? e.load(dtype, p.x, from) : Element{from};
  }
  void store(ElementEmitter& e, const Parameters& p, const Element& element, Ir* to) const {
    e.store(dtype, element, p.result, whole(e, to));
  }

  void copy_leading(ElementEmitter& e, const Parameters& p, Ir* item) const {
    if (!leading) return;
    llvm::IRBuilder<>& b = e.builder();
    emit_if(b, b.CreateICmpEQ(item, b.getInt64(0)), {}, [&](const Values&) {
      Ir* before = llvm::ConstantInt::getSigned(b.getInt64Ty(), -1);
      store(e, p, load(e, p, before), before);
      return Values{};
    });
  }

  target::KernelModule emit() const {
    ModuleBuilder m("hither_mask_keep");
    const Parameters p = begin(m, false);
    llvm::IRBuilder<>& b = m.b();
    ElementEmitter e(b, 1);
    Ir* chunk = m.global_id(0);
    copy_leading(e, p, chunk);
    Ir* start = e.load(DType::kInt64, p.starts, chunk).re;
    Ir* end = e.load(DType::kInt64, p.starts, b.CreateNSWAdd(chunk, b.getInt64(1))).re;
    Ir* first = b.CreateNSWMul(chunk, b.getInt64(kChunk));
    // Every element is written to the next free place, and the place advances if the mask selects
    // the element. The loop ends after the chunk's last selected element, so no write leaves the
    // chunk's part of the result.
    llvm::BasicBlock* before = b.GetInsertBlock();
    llvm::BasicBlock* head = llvm::BasicBlock::Create(b.getContext(), "keep", m.function());
    llvm::BasicBlock* done = llvm::BasicBlock::Create(b.getContext(), "done", m.function());
    b.CreateCondBr(b.CreateICmpSLT(start, end), head, done);
    b.SetInsertPoint(head);
    llvm::PHINode* from = b.CreatePHI(b.getInt64Ty(), 2);
    llvm::PHINode* to = b.CreatePHI(b.getInt64Ty(), 2);
    from->addIncoming(first, before);
    to->addIncoming(start, before);
    store(e, p, load(e, p, from), to);
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

  target::KernelModule emit_by_groups() const {
    ModuleBuilder m("hither_mask_keep");
    const Parameters p = begin(m, true);
    Ir* size = m.next_parameter();
    llvm::IRBuilder<>& b = m.b();
    ElementEmitter e(b, 1);
    const PartOfChunk part(m, e, p.mask, size, aligned);
    copy_leading(e, p, m.global_id(0));
    // The true elements' numbers in the chunk, so that consecutive items copy consecutive ones.
    GroupEmitter g(m);
    Ir* chosen = g.local_array(b.getInt32Ty(), kItems * kEach);
    Ir* before = m.call("hither.group_exclusive_scan.add.u32", b.getInt32Ty(), {part.count});
    Ir* place = b.CreateZExt(before, b.getInt64Ty());
    Ir* first = b.CreateNSWMul(g.group(), b.getInt64(kItems * kEach));
    for (size_t i = 0; i < kEach; ++i) {
      emit_if(b, part.is_true[i], {}, [&](const Values&) {
        e.store(DType::kInt32,
                {b.CreateTrunc(b.CreateNSWSub(part.index[i], first), b.getInt32Ty())}, chosen,
                place);
        return Values{};
      });
      place = b.CreateNSWAdd(place, b.CreateZExt(part.is_true[i], b.getInt64Ty()));
    }
    g.barrier();
    Ir* start = e.load(DType::kInt64, p.starts, g.group()).re;
    Ir* end = e.load(DType::kInt64, p.starts, b.CreateNSWAdd(g.group(), b.getInt64(1))).re;
    Ir* copied = b.CreateNSWSub(end, start);
    Ir* last = b.CreateNSWSub(copied, b.getInt64(1));
    emit_loop(b, g.item(), copied, b.getInt64(kItems * kTogether), {}, [&](Ir* n, const Values&) {
      std::vector<std::pair<Element, Ir*>> read;
      for (int k = 0; k < kTogether; ++k) {
        Ir* at = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, n, last);
        Ir* number = b.CreateSExt(e.load(DType::kInt32, chosen, at).re, b.getInt64Ty());
        read.emplace_back(load(e, p, b.CreateNSWAdd(first, number)), n);
        n = b.CreateNSWAdd(n, b.getInt64(kItems));
      }
      for (const auto& [element, at] : read)
        emit_if(b, b.CreateICmpSLE(at, last), {}, [&](const Values&) {
          store(e, p, element, b.CreateNSWAdd(start, at));
          return Values{};
        });
      return Values{};
    });
    return finish_groups(m);
  }
};

// A submission may have to wait for its inputs. No graph lock is held here, so WaitFirst could not
// restart the work.
void wait_first(const Queue& queue, const Value& v) {
  if (queue.state()->driver->submission_waits()) (void)v.written.event().wait_for_error();
}

}  // namespace

Selection::Selection(Value& mask, bool leading, const Placed& placed)
    : mask_(mask), leading_(leading), on_gpu_(takes_gpu_forms(placed.queue)), placed_(placed) {
  if (mask.layout->size == 0) return;
  wait_first(placed.queue, mask);
  aligned_ = on_gpu_ && reinterpret_cast<uintptr_t>(address_of(mask)) % kEach == 0;
  on_gpu_ ? count_by_groups() : count_on_host();
}

void Selection::count_by_groups() {
  const int64_t groups = divide_up(mask_.layout->size, int64_t{kItems} * kEach);
  const Memory memory =
      Memory::for_work(placed_.queue, static_cast<size_t>(groups * 4), UsmType::kDevice);
  ValueRef counts =
      memory_value(memory, 0, contiguous_layout(placed_.queue, Dims{groups}), DType::kInt32);
  const ReadyKernel kernel = find_kernel(
      placed_.queue, aligned_ ? "mc4" : "mc3", [&] { return emit_count_by_groups(aligned_); },
      [] { return std::string("mask_count"); });
  KernelCall call;
  call.writes(memory);
  call.reads(mask_);
  call.integer(mask_.layout->size);
  counts->written =
      call.submit(placed_.queue, kernel, NdRange(Range(groups * kItems), Range(kItems)),
                  mask_.layout->size + groups * 4, mask_.layout->size);
  starts_ = cumulative_sum(make_array(std::move(counts)),
                           {.axis = 0, .dtype = DType::kInt64, .include_initial = true});
  strided_view(starts_, Dims{}, Dims{}, groups).item(&count_);
}

// The chunks are few, so the host adds their counts.
void Selection::count_on_host() {
  const int64_t size = mask_.layout->size, chunks = divide_up(size, kChunk);
  const Queue& queue = placed_.queue;
  const ReadyKernel kernel =
      find_kernel(queue, "mc1", emit_count, [] { return std::string("mask_count"); });
  const Memory counts(queue, static_cast<size_t>(chunks) * 8, UsmType::kHost);
  KernelCall call;
  call.writes(counts);
  call.reads(mask_);
  call.integer(size);
  call.submit(queue, kernel, Range(chunks, 1), size).wait();
  const auto* count = static_cast<const int64_t*>(counts.data());
  std::vector<int64_t> starts{0};
  for (int64_t i = 0; i < chunks; ++i) starts.push_back(starts.back() + count[i]);
  count_ = starts.back();
  starts_ = from_host(starts.data(), Dims{chunks + 1}, Dims{8}, DType::kInt64,
                      {.queue = queue, .usm_type = UsmType::kDevice});
}

ValueRef Selection::take(Value* x) const {
  const Queue& queue = placed_.queue;
  if (x) wait_first(queue, *x);
  const KeepKernel keep{x ? x->dtype : DType::kInt64, !x, leading_, aligned_};
  const int64_t size = mask_.layout->size, count = count_ + leading_;
  const Memory memory =
      Memory::for_work(queue, static_cast<size_t>(count * size_of(keep.dtype)), placed_.usm_type);
  ValueRef result = memory_value(memory, 0, contiguous_layout(queue, Dims{count}), keep.dtype);
  if (count == 0) return result;
  const ReadyKernel kernel = find_kernel(
      queue, keep.key(on_gpu_), [&] { return on_gpu_ ? keep.emit_by_groups() : keep.emit(); },
      [&] { return std::string(x ? "mask_select" : "nonzero"); });
  KernelCall call;
  call.writes(memory);
  call.reads(*starts_.storage()->value());
  call.reads(mask_);
  if (x) call.reads(*x);
  if (on_gpu_) call.integer(size);
  const int64_t bytes = size + (x ? 2 : 1) * count * size_of(keep.dtype);
  const int64_t groups = divide_up(size, int64_t{kItems} * kEach);
  result->written =
      on_gpu_
          ? call.submit(queue, kernel, NdRange(Range(groups * kItems), Range(kItems)), bytes, size)
          : call.submit(queue, kernel, Range(divide_up(size, kChunk), 1), bytes);
  return result;
}

}  // namespace hither::array
