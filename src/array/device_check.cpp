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
  emit_if(b, outside, {}, [&](const std::vector<llvm::Value*>&) {
    b.CreateStore(b.getInt8(1), found);
    return std::vector<llvm::Value*>{};
  });
  b.CreateRetVoid();
  return m.finish();
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
  emit_if(b, descends, {}, [&](const std::vector<llvm::Value*>&) {
    b.CreateStore(b.getInt8(1), found);
    return std::vector<llvm::Value*>{};
  });
  b.CreateRetVoid();
  return m.finish();
}

std::string key_of(const char* check, DType t) {
  std::string key = check;
  key.push_back(static_cast<char>(t));
  return key;
}

}  // namespace

bool DeviceCheck::suits(const Queue& queue) {
  return takes_gpu_forms(queue) && queue.device().has(Aspect::kUsmHostAllocations);
}

DeviceCheck::DeviceCheck(const Queue& queue) : found_(queue, 1, UsmType::kHost) {
  Recorder::refuse("elements are checked on the host");
  *static_cast<char*>(found_.data()) = 0;
}

DeviceCheck DeviceCheck::of_indices(const Array& index, int64_t extent) {
  const Queue& queue = index.queue();
  const DType t = index.dtype();
  const ValueRef value = evaluated(index);
  DeviceCheck check(queue);
  with_graph_lock(queue, [&] {
    const ReadyKernel kernel = find_kernel(
        queue, key_of("i1", t), [&] { return emit_index_range(t); },
        [] { return std::string("index_range"); });
    KernelCall call;
    call.writes(check.found_);
    call.reads(*value);
    call.integer(index.size());
    call.integer(extent);
    check.checked_ = call.submit(queue, kernel, Range(divide_up(index.size(), kIndicesOfItem)),
                                 index.size() * size_of(t), index.size());
  });
  return check;
}

DeviceCheck DeviceCheck::of_order(const Array& x) {
  const Queue& queue = x.queue();
  const DType t = x.dtype();
  const ValueRef value = evaluated(x);
  DeviceCheck check(queue);
  with_graph_lock(queue, [&] {
    const ReadyKernel kernel = find_kernel(
        queue, key_of("i2", t), [&] { return emit_order(t); },
        [] { return std::string("is_ascending"); });
    KernelCall call;
    call.writes(check.found_);
    call.reads(*value);
    check.checked_ =
        call.submit(queue, kernel, Range(x.size() - 1), x.size() * size_of(t), x.size());
  });
  return check;
}

bool DeviceCheck::holds() const {
  runtime::wait_interruptibly(checked_);
  return *static_cast<const char*>(found_.data()) == 0;
}

}  // namespace hither::array
