#include "launch/offload_call.h"

#include <algorithm>
#include <exception>

#include "counting/counter.h"
#include "error/current_error.h"
#include "runtime/memory_state.h"

namespace hither::launch {
namespace {

thread_local OffloadCall* current = nullptr;

Region& resolve(std::atomic<Region*>& handle, int64_t id) {
  Region* region = handle.load(std::memory_order_acquire);
  if (region) return *region;
  region = find_region(id);
  if (!region)
    throw Error(ErrorKind::kCompile, "offload", "compiled code launches an unknown region");
  handle.store(region, std::memory_order_release);
  return *region;
}

const Queue& cpu_queue() {
  static const auto* queue = new Queue(Queue::default_for(Device::select("native_cpu")));
  return *queue;
}

bool host_reaches(const Region& region, const uint64_t* slots, const Queue& queue) {
  if (runtime::shares_memory_with_host(queue)) return true;
  return std::ranges::none_of(region.source().arrays, [&](const RegionArray& array) {
    const auto known = pointer_info(reinterpret_cast<void*>(slots[array.slot]), queue.context());
    return known && known->type == UsmType::kDevice;
  });
}

}  // namespace

OffloadCall::OffloadCall(const Queue& queue, int64_t keep_below, bool makes_usm) noexcept
    : queue_(queue), keep_below_(keep_below), makes_usm_(makes_usm), outer_(current) {
  current = this;
}

OffloadCall::~OffloadCall() {
  current = outer_;
  try {
    arrays_.flush(queue_);  // the function ended with an exception
  } catch (const std::exception&) {
    // The queue's log has the error of the copy. The exception that is being thrown is the first
    // error.
  }
}

void OffloadCall::launch(Region& region, const int64_t* extents, uint64_t* slots, int32_t mode,
                         int64_t id) {
  const bool in_order = (mode & kInOrder) != 0;
  if (in_order && region.iterations(extents) > 0) in_order_.push_back(id);
  const int64_t items = region.iterations(extents) * std::max<int64_t>(region.source().team, 1);
  if ((in_order || items < keep_below_) && host_reaches(region, slots, queue_)) {
    arrays_.flush(queue_);
    return region.launch(cpu_queue(), extents, slots);
  }
  counting::count(counting::Counter::kOffloadedRegions);
  if (runtime::shares_memory_with_host(queue_)) return region.launch(queue_, extents, slots);
  bool keep = (mode & kKeep) != 0;
  try {
    keep = arrays_.stage(region, queue_, slots) && keep;
    region.launch(queue_, extents, slots);
  } catch (...) {
    arrays_.flush(queue_);  // the code that catches the exception may read the arrays
    throw;
  }
  if (!keep) arrays_.flush(queue_);
}

void OffloadCall::flush_arrays() noexcept {
  if (!current) return;
  try {
    current->arrays_.flush(current->queue_);
  } catch (...) {
    current->error_ = error::current_error("offload");
  }
}

const Queue& OffloadCall::current_queue() noexcept {
  return current ? current->queue_ : cpu_queue();
}

bool OffloadCall::makes_usm() noexcept { return current && current->makes_usm_; }

std::optional<Error> OffloadCall::take_error() noexcept {
  std::optional<Error> error;
  error.swap(error_);
  return error;
}

int32_t launch_region(std::atomic<Region*>* handle, int64_t id, const int64_t* extents,
                      uint64_t* slots, int32_t mode) noexcept {
  try {
    Region& region = resolve(*handle, id);
    if (current) {
      current->launch(region, extents, slots, mode, id);
    } else {
      counting::count(counting::Counter::kOffloadedRegions);
      region.launch(cpu_queue(), extents, slots);
    }
    return 0;
  } catch (...) {
    if (current) current->error_ = error::current_error("offload");
  }
  return 1;
}

void count_small_region() noexcept { counting::count_roughly(counting::Counter::kSmallRegions); }

}  // namespace hither::launch
