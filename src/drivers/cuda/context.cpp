#include "drivers/cuda/context.h"

#include <algorithm>

#include <fmt/format.h>

#include "drivers/cuda/kernel.h"
#include "drivers/cuda/queue.h"
#include "drivers/cuda/transfer.h"

namespace hither::drivers::cuda {
namespace {

/// The pool keeps freed memory up to a quarter of the device's memory, but at least this much.
constexpr size_t kLeastKept = size_t{64} << 20;

/// Lets kernels and copies of one device access the other's memory, if the machine supports it.
void enable_peer_access(const ContextPart& from, const ContextPart& to) {
  if (!reaches(from.native->device(), to.native->device()))
    throw Error(ErrorKind::kUnsupported, "Context",
                fmt::format("GPU {} does not reach the memory of GPU {}; give each a context of "
                            "its own, and move arrays with to_device()",
                            from.native->device(), to.native->device()));
  const Current current(*from.native);
  const CUresult result = api().cuCtxEnablePeerAccess(to.native->get(), 0);
  if (result != kPeerAccessAlreadyEnabled)
    from.native->check(result, "cuCtxEnablePeerAccess", "Context");
}

runtime::DevicePool::Siblings& all_pools() {
  static auto& pools = *new runtime::DevicePool::Siblings;
  return pools;
}

/// Records in pinned host memory: a kernel accesses it only if there is an error, and the host
/// reads it without a copy.
std::shared_ptr<runtime::RecordPool> make_records(const std::shared_ptr<NativeContext>& context) {
  return std::make_shared<runtime::RecordPool>([context](size_t bytes, size_t) {
    const Current current(*context);
    void* chunk = nullptr;
    context->check(api().cuMemHostAlloc(&chunk, bytes, kHostAllocPortable), "cuMemHostAlloc",
                   "Queue.submit");
    return std::shared_ptr<void>(chunk, [context](void* memory) {
      const Current current(*context);
      api().cuMemFreeHost(memory);
    });
  });
}

std::vector<CUdevice> all_devices() {
  int count = 0;
  api().cuDeviceGetCount(&count);
  std::vector<CUdevice> devices;
  for (int i = 0; i < count; ++i)
    if (CUdevice device = 0; api().cuDeviceGet(&device, i) == kSuccess) devices.push_back(device);
  return devices;
}

}  // namespace

CudaContext::CudaContext(const std::vector<std::shared_ptr<CudaDevice>>& devices, bool primary) {
  std::vector<CUdevice> natives;
  for (const auto& device : devices) {
    ContextPart part;
    part.device = device;
    part.native = std::make_shared<NativeContext>(device->native(), primary);
    part.records = make_records(part.native);
    part.staging = std::make_shared<Staging>(part.native);
    part.clock = std::make_shared<Clock>(part.native);
    part.index = static_cast<int>(parts_.size());
    parts_.push_back(std::move(part));
    natives.push_back(device->native());
  }
  // Copies between default contexts go from GPU to GPU directly too.
  if (primary) natives = all_devices();
  for (const ContextPart& from : parts_)
    for (const ContextPart& to : parts_)
      if (from.native->device() != to.native->device()) enable_peer_access(from, to);
  for (const ContextPart& part : parts_)
    heaps_.push_back(std::make_shared<DeviceHeap>(part.native, natives));
  const auto bytes = std::get<int64_t>(devices[0]->facts().info.at("global_mem_size"));
  const size_t most_kept = std::max(kLeastKept, static_cast<size_t>(bytes) / 4);
  pool_ = std::make_unique<runtime::DevicePool>(
      std::vector<std::shared_ptr<runtime::NativeHeap>>(heaps_.begin(), heaps_.end()), most_kept,
      all_pools());
}

bool CudaContext::owns(CUmemoryPool pool) const noexcept {
  return pool &&
         std::ranges::any_of(heaps_, [&](const auto& heap) { return heap->native() == pool; });
}

std::optional<runtime::Block> CudaContext::find_foreign(const void* pointer) const {
  if (!parts_.front().native->is_primary()) return std::nullopt;  // other libraries do not use it
  const Current current(*parts_.front().native);
  const std::optional<Extent> extent = extent_of(pointer);
  if (!extent || owns(extent->pool) || pool_->is_spare(pointer)) {
    return std::nullopt;  // memory that the pool keeps
  }
  runtime::Block block{.data = extent->start, .bytes = extent->bytes, .type = extent->type};
  for (const ContextPart& part : parts_)
    if (part.native->device() == extent->device) block.device = part.index;
  if (parts_[block.device].native->device() != extent->device && block.type != UsmType::kHost)
    return std::nullopt;  // another GPU's
  return block;
}

std::optional<size_t> CudaContext::free_bytes() const {
  size_t sum = 0;
  for (const ContextPart& part : parts_) {
    const Current current(*part.native);
    size_t free = 0, total = 0;
    if (api().cuMemGetInfo(&free, &total) != kSuccess) return std::nullopt;
    sum += free;
  }
  return sum;
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
