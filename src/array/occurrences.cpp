#include <fmt/format.h>
#include <hither/index.h>

#include "array/emit/group.h"
#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"
#include "array/placed.h"
#include "array/plan/gpu_forms.h"

namespace hither {

namespace array {

namespace {

using Ir = llvm::Value;
using Values = std::vector<Ir*>;

// GPUs: a group marks numbers in bits of local memory, of at most kMostWords words, and an item
// reads kTogether numbers at once. There are at most kMostGroups groups, because each of them adds
// its bits to those in global memory.
constexpr int64_t kWordBits = 32, kMostWords = 8192, kGroup = 1024, kTogether = 8,
                  kMostGroups = 264;

Ir* emit_number(llvm::IRBuilder<>& b, DType dtype, Ir* x, Ir* at, Ir* low) {
  ElementEmitter e(b, 1);
  return b.CreateSub(e.cast(e.load(dtype, x, at), dtype, DType::kInt64).re, low);
}

// Parameters: marks, x, low. Item i marks the number x[i].
target::KernelModule emit_marks(DType dtype) {
  ModuleBuilder m("hither_occurrences");
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kPointer);
  m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  Ir* marks = m.next_parameter();
  Ir* x = m.next_parameter();
  Ir* number = emit_number(b, dtype, x, m.global_id(0), m.next_parameter());
  Ir* mark = b.CreateGEP(b.getInt8Ty(), marks, number);
  // Most numbers are marked already, and a store would take the cache line from the other cores.
  Ir* is_new = b.CreateICmpEQ(b.CreateLoad(b.getInt8Ty(), mark), b.getInt8(0));
  emit_if(b, is_new, {}, [&](const Values&) {
    b.CreateStore(b.getInt8(1), mark);
    return Values{};
  });
  b.CreateRetVoid();
  return m.finish();
}

// Sets bits of a word, which other items may set too.
void emit_set(llvm::IRBuilder<>& b, Ir* word, Ir* bits, const char* scope) {
  const llvm::SyncScope::ID id = b.getContext().getOrInsertSyncScopeID(scope);
  llvm::LoadInst* old = b.CreateAlignedLoad(b.getInt32Ty(), word, llvm::Align(4));
  old->setAtomic(llvm::AtomicOrdering::Monotonic, id);
  Ir* missing = b.CreateAnd(bits, b.CreateNot(old));
  emit_if(b, b.CreateICmpNE(missing, b.getInt32(0)), {}, [&](const Values&) {
    b.CreateAtomicRMW(llvm::AtomicRMWInst::Or, word, missing, llvm::Align(4),
                      llvm::AtomicOrdering::Monotonic, id);
    return Values{};
  });
}

// Parameters: bits, x, low, the number of elements and of words.
target::KernelModule emit_bits(DType dtype) {
  ModuleBuilder m("hither_occurrence_bits");
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 3; ++i) m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  Ir* bits = m.next_parameter();
  Ir* x = m.next_parameter();
  Ir* low = m.next_parameter();
  Ir* size = m.next_parameter();
  Ir* words = m.next_parameter();
  GroupEmitter g(m);
  llvm::Type* type = b.getInt32Ty();
  Ir* own = g.local_array(type, kMostWords);
  Ir *item = g.item(), *group = b.getInt64(kGroup);
  emit_loop(b, item, words, group, {}, [&](Ir* w, const Values&) {
    b.CreateStore(b.getInt32(0), b.CreateGEP(type, own, w));
    return Values{};
  });
  g.barrier();
  Ir *last = b.CreateNSWSub(size, b.getInt64(1)), *items = m.global_size(0);
  Ir* step = b.CreateNSWMul(items, b.getInt64(kTogether));
  emit_loop(b, m.global_id(0), size, step, {}, [&](Ir* at, const Values&) {
    Values numbers;
    for (int64_t k = 0; k < kTogether; ++k) {
      numbers.push_back(
          emit_number(b, dtype, x, b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, at, last), low));
      at = b.CreateNSWAdd(at, items);
    }
    for (Ir* number : numbers) {
      Ir* bit = b.CreateTrunc(b.CreateAnd(number, b.getInt64(kWordBits - 1)), type);
      emit_set(b, b.CreateGEP(type, own, b.CreateLShr(number, b.getInt64(5))),
               b.CreateShl(b.getInt32(1), bit), "workgroup");
    }
    return Values{};
  });
  g.barrier();
  emit_loop(b, item, words, group, {}, [&](Ir* w, const Values&) {
    emit_set(b, b.CreateGEP(type, bits, w), b.CreateLoad(type, b.CreateGEP(type, own, w)),
             "device");
    return Values{};
  });
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.local_size[0] = kGroup;
  module.local_size[1] = module.local_size[2] = 1;
  return module;
}

// Parameters: marks, bits. Item i writes the mark of number i.
target::KernelModule emit_spread() {
  ModuleBuilder m("hither_marks_of_bits");
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kPointer);
  llvm::IRBuilder<>& b = m.begin();
  Ir* marks = m.next_parameter();
  Ir* bits = m.next_parameter();
  Ir* at = m.global_id(0);
  llvm::Type* type = b.getInt32Ty();
  Ir* word = b.CreateLoad(type, b.CreateGEP(type, bits, b.CreateLShr(at, b.getInt64(5))));
  Ir* bit = b.CreateTrunc(b.CreateAnd(at, b.getInt64(kWordBits - 1)), type);
  Ir* mark = b.CreateTrunc(b.CreateAnd(b.CreateLShr(word, bit), b.getInt32(1)), b.getInt8Ty());
  b.CreateStore(mark, b.CreateGEP(b.getInt8Ty(), marks, at));
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

class OccurrencesRecipe final : public Recipe {
 public:
  OccurrencesRecipe(int64_t low, int64_t size) : low_(low), size_(size) {}

  bool needs_c_order() const noexcept override { return true; }
  int64_t operand_size(const Value&, int) const noexcept override { return size_; }
  std::string describe(const Value&) const override { return "occurrences"; }
  void launch(Value& value, std::span<const Operated> operands) const override {
    allocate(value);
    const int64_t words = divide_up(value.layout->size, kWordBits);
    if (takes_gpu_forms(value.queue) && words <= kMostWords)
      mark_by_bits(value, operands[0], words);
    else
      mark(value, operands[0]);
  }

 private:
  static Event cleared(const Queue& queue, const Memory& memory, int64_t bytes) {
    const unsigned char nothing = 0;
    Event done = queue.fill(memory.data(), &nothing, 1, static_cast<size_t>(bytes));
    memory.release_after(done);
    return done;
  }

  static ReadyKernel kernel(const Queue& queue, char form, DType dtype,
                            target::KernelModule (*emit)(DType)) {
    const std::string key{'o', 'c', form, static_cast<char>(dtype)};
    return find_kernel(
        queue, key, [&] { return emit(dtype); }, [] { return std::string("occurrences"); });
  }

  void mark(Value& value, const Operated& x) const {
    const DType dtype = value.inputs[0].dtype;
    const int64_t count = value.layout->size;
    KernelCall call;
    call.after(cleared(value.queue, value.memory, count));
    call.writes(value.memory);
    call.reads(x, dtype);
    call.integer(low_);
    value.written = call.submit(value.queue, kernel(value.queue, '1', dtype, emit_marks),
                                Range(size_), size_ * (size_of(dtype) + 1) + count);
  }

  void mark_by_bits(Value& value, const Operated& x, int64_t words) const {
    const Queue& queue = value.queue;
    const DType dtype = value.inputs[0].dtype;
    const int64_t bytes = words * kWordBits / 8;
    const Memory bits = Memory::for_work(queue, static_cast<size_t>(bytes), UsmType::kDevice);
    KernelCall call;
    call.after(cleared(queue, bits, bytes));
    call.writes(bits);
    call.reads(x, dtype);
    call.integer(low_);
    call.integer(size_);
    call.integer(words);
    const int64_t groups = std::min(kMostGroups, divide_up(size_, kGroup * kTogether));
    const Event set =
        call.submit(queue, kernel(queue, '2', dtype, emit_bits),
                    {Range(groups * kGroup), Range(kGroup)}, size_ * size_of(dtype), size_);
    const ReadyKernel spread = find_kernel(
        queue, "oc3", [] { return emit_spread(); }, [] { return std::string("marks_of_bits"); });
    KernelCall second;
    second.writes(value.memory);
    second.reads(bits, set);
    value.written =
        second.submit(queue, spread, Range(value.layout->size), value.layout->size + bytes);
  }

  int64_t low_, size_;
};

}  // namespace

}  // namespace array

using namespace array;

Array occurrences(const Array& x, int64_t low, int64_t count) {
  if (!is_integer(x.dtype()))
    throw Error(ErrorKind::kType, "occurrences",
                fmt::format("x is {}; it must be of integers", name_of(x.dtype())));
  if (x.size() == 0 || count == 0)
    return full(Dims{count}, Scalar(false), DType::kBool, {x.queue(), x.usm_type()});
  return finish_recipe({count}, DType::kBool, DType::kBool, {x.queue(), x.usm_type()}, {&x, 1},
                       std::make_unique<OccurrencesRecipe>(low, x.size()));
}

}  // namespace hither
