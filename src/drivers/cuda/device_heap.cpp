#include "drivers/cuda/device_heap.h"

#include <vector>

#include "drivers/cuda/device.h"

namespace hither::drivers::cuda {
namespace {

void* pointer_to(CUdeviceptr address) noexcept {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

DeviceHeap::DeviceHeap(std::shared_ptr<NativeContext> context, std::span<const CUdevice> peers)
    : context_(context), stream_(std::move(context)) {
  const Current current(*context_);
  CUmemPoolProps properties{};
  properties.alloc_type = kAllocationPinned;
  properties.location = {kLocationDevice, context_->device()};
  context_->check(api().cuMemPoolCreate(&pool_, &properties), "cuMemPoolCreate", "Context");
  uint64_t keep_all = UINT64_MAX;
  api().cuMemPoolSetAttribute(pool_, kPoolReleaseThreshold, &keep_all);
  std::vector<CUmemAccessDesc> access;
  for (CUdevice peer : peers) {
    if (peer != context_->device() && reaches(peer, context_->device()))
      access.push_back({{kLocationDevice, peer}, kAccessReadWrite});
  }
  if (!access.empty())
    context_->check(api().cuMemPoolSetAccess(pool_, access.data(), access.size()),
                    "cuMemPoolSetAccess", "Context");
}

DeviceHeap::~DeviceHeap() {
  const Current current(*context_);
  api().cuMemPoolDestroy(pool_);  // takes effect when all its memory is freed
}

bool DeviceHeap::is_given(CUresult result, const char* call) const {
  if (result == kOutOfMemory) return false;
  context_->check(result, call, "Memory");
  return true;
}

void* DeviceHeap::allocate_device(size_t bytes) {
  CUdeviceptr address = 0;
  if (!is_given(api().cuMemAllocFromPoolAsync(&address, bytes, pool_, stream_.get()),
                "cuMemAllocFromPoolAsync"))
    return nullptr;
  // The stream has only allocations, so this waits for none of the device's tasks.
  context_->check(api().cuStreamSynchronize(stream_.get()), "cuStreamSynchronize", "Memory");
  return pointer_to(address);
}

runtime::NativeHeap::Piece DeviceHeap::allocate(size_t bytes, size_t alignment, UsmType type) {
  const size_t spare = alignment - least_alignment();
  if (bytes > SIZE_MAX - spare) return {};
  void* const native = allocate_native(bytes + spare, type);
  if (!native) return {};
  const size_t beyond = reinterpret_cast<uintptr_t>(native) % alignment;
  return {native, static_cast<char*>(native) + (beyond == 0 ? 0 : alignment - beyond)};
}

void* DeviceHeap::allocate_native(size_t bytes, UsmType type) {
  const Current current(*context_);
  void* data = nullptr;
  CUdeviceptr address = 0;
  switch (type) {
    case UsmType::kDevice:
      return allocate_device(bytes);
    case UsmType::kShared:
      if (!is_given(api().cuMemAllocManaged(&address, bytes, kMemAttachGlobal),
                    "cuMemAllocManaged"))
        return nullptr;
      return pointer_to(address);
    default:
      if (!is_given(api().cuMemHostAlloc(&data, bytes, kHostAllocPortable), "cuMemHostAlloc"))
        return nullptr;
      return data;
  }
}

void DeviceHeap::free(const Piece& piece, UsmType type) noexcept {
  const Current current(*context_);
  switch (type) {
    case UsmType::kDevice:
      api().cuMemFreeAsync(address_of(piece.native), stream_.get());
      return;
    case UsmType::kShared:
      api().cuMemFree(address_of(piece.native));
      return;
    default:
      api().cuMemFreeHost(piece.native);
  }
}

void DeviceHeap::trim() noexcept {
  const Current current(*context_);
  api().cuStreamSynchronize(stream_.get());
  api().cuMemPoolTrimTo(pool_, 0);
}

}  // namespace hither::drivers::cuda
