#include "array/index_range.h"

#include <algorithm>

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
target::KernelModule emit(DType t) {
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

}  // namespace

bool IndexRange::suits(const Queue& queue) {
  return takes_gpu_forms(queue) && queue.device().has(Aspect::kUsmHostAllocations);
}

IndexRange::IndexRange(const Array& index, int64_t extent)
    : found_(index.queue(), 1, UsmType::kHost) {
  Recorder::refuse("indices are checked on the host");
  const Queue& queue = index.queue();
  const ValueRef value = evaluated(index);
  const DType t = index.dtype();
  std::fill_n(static_cast<char*>(found_.data()), 1, '\0');
  with_graph_lock(queue, [&] {
    std::string key = "i1";
    key.push_back(static_cast<char>(t));
    const ReadyKernel kernel =
        find_kernel(queue, key, [&] { return emit(t); }, [] { return std::string("index_range"); });
    KernelCall call;
    call.writes(found_);
    call.reads(*value);
    call.integer(index.size());
    call.integer(extent);
    checked_ = call.submit(queue, kernel, Range(divide_up(index.size(), kIndicesOfItem)),
                           index.size() * size_of(t), index.size());
  });
}

bool IndexRange::holds() const {
  runtime::wait_interruptibly(checked_);
  return *static_cast<const char*>(found_.data()) == 0;
}

}  // namespace hither::array
