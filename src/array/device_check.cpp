#include "array/device_check.h"

#include "array/emit/producers.h"
#include "array/flush.h"
#include "array/form/divide_up.h"
#include "array/kernel_call.h"
#include "array/plan/gpu_forms.h"
#include "array/record/work_recorder.h"
#include "runtime/interruptible_wait.h"

namespace hither::array {

namespace {

// Elements that an item reads, with overlapping loads.
constexpr int64_t kIndicesOfItem = 8;

// The kernel's last part: stores the answer if the condition is true.
target::KernelModule finish(ModuleBuilder& m, llvm::Value* found, llvm::Value* condition) {
  llvm::IRBuilder<>& b = m.b();
  emit_if(b, condition, {}, [&](const std::vector<llvm::Value*>&) {
    b.CreateStore(b.getInt8(1), found);
    return std::vector<llvm::Value*>{};
  });
  b.CreateRetVoid();
  return m.finish();
}

// Parameters: found, indices, their number, the extent.
target::KernelModule emit_index_range(DType t) {
  ModuleBuilder m("hither_index_range");
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kPointer);
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kInt64);
  llvm::IRBuilder<>& b = m.begin();
  llvm::Value* found = m.next_parameter();
  llvm::Value* indices = m.next_parameter();
  llvm::Value* count = m.next_parameter();
  llvm::Value* extent = m.next_parameter();
  ElementEmitter e(b, 1);
  llvm::Value* outside = b.getFalse();
  std::vector<llvm::Value*> read;
  for (llvm::Value* at : m.spread_ids(kIndicesOfItem, count))
    read.push_back(e.cast(e.load(t, indices, at), t, DType::kInt64).re);
  // Negative indices, and those of 2^63 and more, are large as unsigned integers.
  for (llvm::Value* v : read) outside = b.CreateOr(outside, b.CreateICmpUGE(v, extent));
  return finish(m, found, outside);
}

// Parameters: found, x. An item compares an element with the next one.
target::KernelModule emit_order(DType t) {
  ModuleBuilder m("hither_is_ascending");
  for (int i = 0; i < 2; ++i) m.parameter(target::Parameter::kPointer);
  llvm::IRBuilder<>& b = m.begin();
  llvm::Value* found = m.next_parameter();
  llvm::Value* x = m.next_parameter();
  ElementEmitter e(b, 1);
  llvm::Value* at = m.global_id(0);
  const Element pair[2] = {e.load(t, x, at), e.load(t, x, b.CreateNSWAdd(at, b.getInt64(1)))};
  llvm::Value* descends = b.CreateNot(e.apply(Op::less_equal, t, pair).re);
  return finish(m, found, descends);
}

}  // namespace

bool DeviceCheck::suits(const Queue& queue) {
  return takes_gpu_forms(queue) && queue.device().has(Aspect::kUsmHostAllocations);
}

DeviceCheck::DeviceCheck(const Array& x, const std::string& name,
                         target::KernelModule (*emit)(DType), int64_t items,
                         std::initializer_list<int64_t> integers) {
  const Queue& queue = x.queue();
  const DType t = x.dtype();
  const ValueRef value = evaluated(x);
  Recorder::refuse("elements are checked on the host");
  found_ = Memory(queue, 1, UsmType::kHost);
  *static_cast<char*>(found_.data()) = 0;
  with_graph_lock(queue, [&] {
    const ReadyKernel kernel = find_kernel(
        queue, name + static_cast<char>(t), [&] { return emit(t); }, [&] { return name; });
    KernelCall call;
    call.writes(found_);
    call.reads(*value);
    for (int64_t v : integers) call.integer(v);
    checked_ = call.submit(queue, kernel, Range(items), x.size() * size_of(t), x.size());
  });
}

DeviceCheck DeviceCheck::of_indices(const Array& index, int64_t extent) {
  return DeviceCheck(index, "index_range", emit_index_range,
                     divide_up(index.size(), kIndicesOfItem), {index.size(), extent});
}

DeviceCheck DeviceCheck::of_order(const Array& x) {
  return DeviceCheck(x, "is_ascending", emit_order, x.size() - 1, {});
}

bool DeviceCheck::holds() const {
  runtime::wait_interruptibly(checked_);
  return *static_cast<const char*>(found_.data()) == 0;
}

}  // namespace hither::array
