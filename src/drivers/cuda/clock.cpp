#include "drivers/cuda/clock.h"

#include <algorithm>

#include "runtime/host_task.h"

namespace hither::drivers::cuda {
namespace {

/// Up to this many nanoseconds a float of milliseconds is exact to a quarter of CUDA's resolution.
constexpr uint64_t kExact = 2'000'000'000;

}  // namespace

std::shared_ptr<const Anchor> Clock::anchor() {
  std::lock_guard lock(mutex_);
  if (last_ && runtime::now_nanoseconds() - last_->time < kExact) return last_;
  NativeContext& context = *stream_.context();
  const Current current(context);
  auto next = std::make_shared<Anchor>(stream_.context());
  next->event.record(stream_.get());
  context.check(stream_.wait(), "cuStreamSynchronize", "Queue");
  const uint64_t now = runtime::now_nanoseconds();
  next->time = last_ ? std::min(now, time_of(next->event, *last_)) : now;
  // After a long pause the difference is inexact, and the host's clock is more exact.
  if (last_ && now - last_->time > 30 * kExact) next->time = now;
  last_ = std::move(next);
  return last_;
}

uint64_t Clock::time_of(const NativeEvent& event, const Anchor& anchor) noexcept {
  const Current current(event.context());
  float milliseconds = 0;
  if (api().cuEventElapsedTime(&milliseconds, anchor.event.get(), event.get()) != kSuccess)
    return 0;
  return anchor.time +
         static_cast<uint64_t>(std::max(0.0, 1e6 * static_cast<double>(milliseconds)));
}

}  // namespace hither::drivers::cuda
