#include "drivers/cuda/context.h"

#include <algorithm>

#include "drivers/cuda/kernel.h"
#include "drivers/cuda/queue.h"

namespace hither::drivers::cuda {
namespace {

/// Kernels and copies of one device reach the other's memory directly, where the machine can.
void enable_peer_access(const ContextPart& from, const ContextPart& to) {
  int can = 0;
  if (api().cuDeviceCanAccessPeer(&can, from.native->device(), to.native->device()) != kSuccess ||
      !can)
    return;
  const Current current(*from.native);
  const CUresult result = api().cuCtxEnablePeerAccess(to.native->get(), 0);
  if (result != kPeerAccessAlreadyEnabled)
    from.native->check(result, "cuCtxEnablePeerAccess", "Context");
}

}  // namespace

CudaContext::CudaContext(const std::vector<std::shared_ptr<CudaDevice>>& devices, bool primary) {
  std::vector<CUdevice> natives;
  for (const auto& device : devices) {
    ContextPart part;
    part.device = device;
    part.native = std::make_shared<NativeContext>(device->native(), primary);
    part.records = std::make_shared<RecordPool>(part.native);
    part.staging = std::make_shared<Staging>(part.native);
    part.clock = std::make_shared<Clock>(part.native);
    part.index = static_cast<int>(parts_.size());
    parts_.push_back(std::move(part));
    natives.push_back(device->native());
  }
  for (const ContextPart& from : parts_)
    for (const ContextPart& to : parts_)
      if (from.native->device() != to.native->device()) enable_peer_access(from, to);
  std::vector<std::shared_ptr<DeviceHeap>> heaps;
  for (const ContextPart& part : parts_)
    heaps.push_back(std::make_shared<DeviceHeap>(part.native, natives));
  pool_ = std::make_unique<Pool>(std::move(heaps), devices);
}

void CudaContext::trim() {
  pool_->trim();
  for (const ContextPart& part : parts_) part.native->unload();
}

std::shared_ptr<runtime::KernelState> CudaContext::load(
    std::shared_ptr<const target::CodeImage> image) {
  auto kernel = std::make_shared<CudaKernel>();
  for (const ContextPart& part : parts_)
    kernel->functions.push_back(std::make_unique<const LoadedFunction>(part.native, *image));
  return kernel;
}

std::unique_ptr<runtime::DriverQueue> CudaContext::make_queue(
    const std::shared_ptr<runtime::DriverDevice>& device, QueueProperties properties,
    std::shared_ptr<runtime::FailureLog> failures) {
  const auto part = std::find_if(parts_.begin(), parts_.end(), [&](const ContextPart& candidate) {
    return candidate.device == device;
  });
  return std::make_unique<CudaQueue>(*part, properties, std::move(failures));
}

}  // namespace hither::drivers::cuda
