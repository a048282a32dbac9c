#include "drivers/native_cpu/context.h"

#include "drivers/native_cpu/device.h"
#include "drivers/native_cpu/in_order_queue.h"
#include "drivers/native_cpu/kernel.h"
#include "drivers/native_cpu/out_of_order_queue.h"

namespace hither::drivers::native_cpu {
namespace {

uint16_t tag_of(const runtime::Block& block) noexcept {
  return static_cast<uint16_t>(block.device << 2 | static_cast<int>(block.type));
}

}  // namespace

bool CpuContext::allocate(runtime::Block& block) {
  block.data = pool_->allocate(block.bytes, block.alignment, tag_of(block), block.only_cached);
  return block.data != nullptr;
}

void CpuContext::release(const runtime::Block& block, std::span<const Event> last_uses) noexcept {
  if (last_uses.empty()) return pool_->release(block.data, block.bytes, block.alignment);
  try {
    runtime::when_all_ended(last_uses, [pool = pool_, block] {
      pool->release(block.data, block.bytes, block.alignment);
    });
  } catch (...) {
    // There is no memory for an asynchronous wait, so wait here.
    runtime::wait_for_all(last_uses);
    pool_->release(block.data, block.bytes, block.alignment);
  }
}

std::optional<runtime::Block> CpuContext::find(const void* pointer) const {
  const auto found = pool_->find(pointer);
  if (!found) return std::nullopt;
  return runtime::Block{.data = found->data,
                        .bytes = found->bytes,
                        .type = static_cast<UsmType>(found->tag & 3),
                        .device = found->tag >> 2};
}

std::shared_ptr<runtime::KernelState> CpuContext::load(
    std::shared_ptr<const target::CodeImage> image) {
  if (!image->entry)
    throw Error(ErrorKind::kUnsupported, "load_kernel",
                "the image of kernel " + image->entry_name + " has no entry point in this process");
  return std::make_shared<CpuKernel>();
}

std::unique_ptr<runtime::DriverQueue> CpuContext::make_queue(
    const std::shared_ptr<runtime::DriverDevice>& device, QueueProperties properties,
    std::shared_ptr<runtime::FailureLog> failures) {
  const std::shared_ptr<Arena>& arena = static_cast<const CpuDevice&>(*device).arena();
  if (properties.in_order)
    return std::make_unique<InOrderQueue>(arena, properties.enable_profiling, std::move(failures));
  return std::make_unique<OutOfOrderQueue>(arena, properties.enable_profiling, std::move(failures));
}

}  // namespace hither::drivers::native_cpu
