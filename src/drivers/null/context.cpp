#include "drivers/null/context.h"

#include <algorithm>
#include <cstdlib>

#include "drivers/null/queue.h"
#include "runtime/kernel_state.h"

namespace hither::drivers::null {

bool NullContext::allocate(runtime::Block& block) {
  if (block.bytes > SIZE_MAX / 4) return false;
  const size_t bytes =
      (std::max<size_t>(block.bytes, 1) + block.alignment - 1) & ~(block.alignment - 1);
  block.data = std::aligned_alloc(block.alignment, bytes);
  if (!block.data) return false;
  std::lock_guard lock(live_->mutex);
  live_->blocks.emplace(static_cast<const char*>(block.data), block);
  live_->bytes += block.bytes;
  live_->peak_bytes = std::max(live_->peak_bytes, live_->bytes);
  return true;
}

void NullContext::free_block(Live& live, const runtime::Block& block) noexcept {
  {
    std::lock_guard lock(live.mutex);
    live.blocks.erase(static_cast<const char*>(block.data));
    live.bytes -= block.bytes;
  }
  std::free(block.data);
}

void NullContext::release(const runtime::Block& block, std::span<const Event> last_uses) noexcept {
  if (last_uses.empty()) return free_block(*live_, block);
  runtime::when_all_ended(last_uses, [live = live_, block] { free_block(*live, block); });
}

std::optional<runtime::Block> NullContext::find(const void* pointer) const {
  const char* const address = static_cast<const char*>(pointer);
  std::lock_guard lock(live_->mutex);
  const auto after = live_->blocks.upper_bound(address);
  if (after == live_->blocks.begin()) return std::nullopt;
  const auto& [data, block] = *std::prev(after);
  if (static_cast<size_t>(address - data) >= std::max<size_t>(1, block.bytes)) return std::nullopt;
  return block;
}

PoolUse NullContext::pool_use() const {
  std::lock_guard lock(live_->mutex);
  return {live_->bytes, live_->blocks.size(), live_->bytes};
}

size_t NullContext::peak_held_bytes() const {
  std::lock_guard lock(live_->mutex);
  return live_->peak_bytes;
}

std::shared_ptr<runtime::KernelState> NullContext::load(std::shared_ptr<const target::CodeImage>) {
  return std::make_shared<runtime::KernelState>();
}

std::unique_ptr<runtime::DriverQueue> NullContext::make_queue(
    const std::shared_ptr<runtime::DriverDevice>&, QueueProperties properties,
    std::shared_ptr<runtime::FailureLog> failures) {
  return std::make_unique<NullQueue>(properties, std::move(failures));
}

}  // namespace hither::drivers::null
