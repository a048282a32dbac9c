#include "array/sort_recipe.h"

#include "array/flush.h"
#include "array/plan/gpu_forms.h"
#include "array/sort_kernels.h"
#include "process/before_blocking.h"
#include "runtime/device_state.h"
#include "runtime/profile.h"
#include "runtime/queue_state.h"
#include "runtime/sort_library.h"

namespace hither::array {

namespace {

/// Elements that take more than some ten microseconds.
constexpr int64_t kLargeSort = 8192;

/// The library that sorts memory of this queue; null if kernels have to.
const runtime::SortLibrary* library_for(const Value& value, const Operated& x) {
  const Device& device = value.queue.device();
  if (takes_gpu_forms(value.queue) || device.type() != DeviceType::kCpu) return nullptr;
  if (!value.memory.host_accessible() || !x.value->memory.host_accessible()) return nullptr;
  const auto* own = device.state()->driver->sort_library();
  if (own) return own;
  static const Device cpu = Device::select("native_cpu");
  return cpu.state()->driver->sort_library();
}

}  // namespace

void SortRecipe::launch(Value& value, std::span<const Operated> operands) const {
  allocate(value);
  const Operated& x = operands[0];
  if (const runtime::SortLibrary* library = library_for(value, x))
    sort_on_host(value, x, *library);
  else
    sort_by_kernels(value, x, length_, descending_, indices_);
}

void SortRecipe::sort_on_host(Value& value, const Operated& x,
                              const runtime::SortLibrary& library) const {
  runtime::RowSort call;
  call.dtype = x.value->dtype;
  call.descending = descending_;
  call.rows = value.layout->size / length_;
  call.length = length_;
  call.from = address_of(*x.value) + x.offset * size_of(call.dtype);
  if (indices_)
    call.indices = reinterpret_cast<int64_t*>(address_of(value));
  else
    call.values = address_of(value);
  Memory scratch;
  if (const size_t bytes = library.scratch_bytes(call)) {
    scratch = Memory::for_work(value.queue, bytes, UsmType::kDevice);
    call.scratch = scratch.data();
  }
  std::vector<Event> depends;
  if (Event last = x.value->written; last.state()) depends.push_back(std::move(last));
  wait_first(value.queue, depends);
  if (call.rows * call.length > kLargeSort) process::before_blocking();
  // The task keeps the memory.
  value.written = runtime::profiled(
      value.queue,
      {profiling::Kind::kLibrary, indices_ ? "argsort" : "sort", value.layout->size,
       value.layout->size * (size_of(call.dtype) + size_of(value.dtype))},
      [&] {
        return value.queue.state()->driver->submit_host(
            [&library, call, from = x.value->memory, to = value.memory, scratch] {
              library.sort(call);
            },
            depends);
      });
  note_read(*x.value, value.written);
}

}  // namespace hither::array
