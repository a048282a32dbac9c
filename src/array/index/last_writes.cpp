#include "array/index/last_writes.h"

#include "array/emit/producers.h"
#include "array/kernel_call.h"

namespace hither::array {

namespace {

using Ir = llvm::Value;

/// The second kernel reads every slot, so there must not be many more slots than indices.
constexpr int64_t kMostSlotsOfIndex = 4;

llvm::Type* word_of(llvm::IRBuilder<>& b, DType t) {
  return b.getIntNTy(8 * static_cast<unsigned>(size_of(t)));
}

// Parameters: table, offsets, values, first, step. An item handles one index, whose number begins
// at 1: a word of 0 is that of a slot without one.
target::KernelModule emit_candidates(DType t) {
  ModuleBuilder m("hither_candidates");
  for (int i = 0; i < 3; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  Ir *table = m.next_parameter(), *offsets = m.next_parameter(), *values = m.next_parameter();
  Ir *first = m.next_parameter(), *step = m.next_parameter();
  const auto load = [&](llvm::Type* type, Ir* from, Ir* at, uint64_t bytes) {
    return b.CreateAlignedLoad(type, b.CreateInBoundsGEP(type, from, at), llvm::Align(bytes));
  };
  Ir* index = m.global_id(0);
  Ir* offset = load(b.getInt64Ty(), offsets, index, 8);
  Ir* value = load(word_of(b, t), values, index, static_cast<uint64_t>(size_of(t)));
  Ir* number = b.CreateShl(b.CreateNUWAdd(index, b.getInt64(1)), 32);
  Ir* slot = b.CreateExactSDiv(b.CreateNSWSub(offset, first), step);
  b.CreateAtomicRMW(llvm::AtomicRMWInst::UMax, b.CreateInBoundsGEP(b.getInt64Ty(), table, slot),
                    b.CreateOr(number, b.CreateZExt(value, b.getInt64Ty())), llvm::Align(8),
                    llvm::AtomicOrdering::Monotonic,
                    b.getContext().getOrInsertSyncScopeID("device"));
  b.CreateRetVoid();
  return m.finish();
}

// Parameters: table, x, first, step. An item handles one slot.
target::KernelModule emit_winners(DType t) {
  ModuleBuilder m("hither_winners");
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  Ir *table = m.next_parameter(), *x = m.next_parameter();
  Ir *first = m.next_parameter(), *step = m.next_parameter();
  Ir* slot = m.global_id(0);
  Ir* word = b.CreateAlignedLoad(b.getInt64Ty(), b.CreateInBoundsGEP(b.getInt64Ty(), table, slot),
                                 llvm::Align(8));
  emit_if(b, b.CreateICmpNE(word, b.getInt64(0)), {}, [&](const std::vector<Ir*>&) {
    llvm::Type* type = word_of(b, t);
    Ir* at = b.CreateNSWAdd(first, b.CreateNSWMul(slot, step));
    b.CreateAlignedStore(b.CreateTrunc(word, type), b.CreateInBoundsGEP(type, x, at),
                         llvm::Align(static_cast<uint64_t>(size_of(t))));
    return std::vector<Ir*>{};
  });
  b.CreateRetVoid();
  target::KernelModule module = m.finish();
  module.independent_items = true;
  return module;
}

ReadyKernel find(const Queue& queue, const char* name, DType t,
                 target::KernelModule (*emit)(DType)) {
  return find_kernel(
      queue, std::string(name) + static_cast<char>(t), [&] { return emit(t); },
      [&] { return std::string(name); });
}

}  // namespace

bool takes_last_writes(const GatherShape& shape, DType dtype, int64_t count) {
  return size_of(dtype) <= 4 && count < UINT32_MAX && shape.slots <= kMostSlotsOfIndex * count;
}

std::optional<Event> run_last_writes(Value& target, char* x, DType dtype, const GatherShape& shape,
                                     Value& offsets, Value& values, std::span<const Event> after) {
  const Queue& queue = target.queue;
  const int64_t count = offsets.layout->size, bytes = size_of(dtype);
  const Memory table = table_memory(queue, static_cast<size_t>(shape.slots) * 8);
  if (!table) return std::nullopt;
  const int64_t nothing = 0;
  const Event cleared =
      queue.fill(table.data(), &nothing, sizeof nothing, static_cast<size_t>(shape.slots));
  table.release_after(cleared);
  KernelCall candidates;
  candidates.reads(table, cleared);
  candidates.reads(offsets);
  candidates.reads(values);
  candidates.integer(shape.first);
  candidates.integer(shape.step);
  const Event written = candidates.submit(queue, find(queue, "candidates", dtype, emit_candidates),
                                          Range(count), (16 + bytes) * count);
  KernelCall winners;
  winners.reads(table, written);
  winners.pointer(x);
  winners.after(target.written.event());
  for (const Event& e : after) winners.after(e);
  winners.integer(shape.first);
  winners.integer(shape.step);
  return winners.submit(queue, find(queue, "winners", dtype, emit_winners), Range(shape.slots),
                        8 * shape.slots + bytes * count);
}

}  // namespace hither::array
