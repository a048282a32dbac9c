#include "drivers/cuda/lanes.h"

#include "profiling/record.h"
#include "runtime/host_task.h"
#include "runtime/recycled.h"

namespace hither::drivers::cuda {
namespace {

/// The number of streams of an out-of-order queue; more streams seldom use a device better.
constexpr int kLanes = 4;

}  // namespace

Lanes::Lanes(std::shared_ptr<NativeContext> context, std::shared_ptr<Clock> clock, bool in_order,
             bool profiling)
    : context_(std::move(context)), clock_(std::move(clock)), profiling_(profiling) {
  for (int i = 0; i < (in_order ? 1 : kLanes); ++i)
    lanes_.push_back(std::make_unique<Lane>(context_));
}

Marks Lanes::submit(const Command& command, std::span<const runtime::DeviceTask* const> after,
                    const Waits& ends) {
  std::lock_guard lock(mutex_);
  const Current current(*context_);
  Lane& lane = *lanes_[next_];
  next_ = (next_ + 1) % lanes_.size();
  const bool timed = profiling_ || profiling::is_on();
  Marks marks;
  marks.of_profiling_queue = profiling_;
  marks.end = std::allocate_shared<NativeEvent>(runtime::RecyclingAllocator<NativeEvent>(),
                                                context_, timed);
  if (timed) {
    marks.anchor = clock_->anchor();
    marks.submitted = runtime::now_nanoseconds();
    marks.start = std::make_shared<NativeEvent>(context_, true);
  }
  try {
    for (const auto* task : after)
      lane.stream.wait_for(*static_cast<const CudaTask*>(task)->native());
    for (const auto& event : ends) lane.stream.wait_for(*event);
    if (marks.start) marks.start->record(lane.stream.get());
    command(lane.stream.get());
    marks.end->record(lane.stream.get());
  } catch (...) {
    // No event covers the submitted part of the work, whose memory may be freed next.
    (void)lane.stream.wait();
    throw;
  }
  lane.last = marks.end;
  return marks;
}

Lanes::Waits Lanes::ends() const {
  std::lock_guard lock(mutex_);
  Waits ends;
  for (const auto& lane : lanes_)
    if (lane->last) ends.push_back(lane->last);
  return ends;
}

CUresult Lanes::wait() const noexcept {
  CUresult worst = kSuccess;
  for (const auto& lane : lanes_)
    if (const CUresult result = lane->stream.wait(); result != kSuccess) worst = result;
  return worst;
}

}  // namespace hither::drivers::cuda
