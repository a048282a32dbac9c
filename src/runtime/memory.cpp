#include <hither/memory.h>
#include <hither/memory_info.h>

#include <algorithm>
#include <array>
#include <string>

#include "counting/counter.h"
#include "process/environment.h"
#include "process/fault_point.h"
#include "runtime/context_state.h"
#include "runtime/device_state.h"
#include "runtime/memory_state.h"
#include "runtime/pointer_registry.h"
#include "runtime/queue_interop.h"
#include "runtime/queue_state.h"
#include "runtime/recycled.h"
#include "runtime/work_observer.h"

namespace hither {
namespace {

constexpr std::array<std::string_view, 3> kTypeNames = {"device", "shared", "host"};

/// HITHER_STRICT_USM=1: host code must not access device USM, on CPUs as well, so that programs for
/// GPUs can be tested on a CPU. The memory stays mapped, because kernels run in this process.
/// Instead host_accessible() is false, and every export of the address to host code (buffer
/// protocol, __array_interface__, DLPack as kDLCPU, printing without a copy) checks it.
bool strict_usm() noexcept {
  static const bool strict = process::environment(process::variable::kStrictUsm) == "1";
  return strict;
}

bool is_host_accessible(const Queue& queue, UsmType type) noexcept {
  return type != UsmType::kDevice || runtime::shares_memory_with_host(queue);
}

void check_type(const Queue& queue, UsmType type) {
  constexpr Aspect needed[] = {Aspect::kUsmDeviceAllocations, Aspect::kUsmSharedAllocations,
                               Aspect::kUsmHostAllocations};
  if (!queue.state()->device.state()->facts().has(needed[static_cast<int>(type)]))
    throw Error(ErrorKind::kUnsupported, "usm_type",
                queue.device().filter_string() + " has no " + std::string(name_of(type)) + " USM");
}

// "3000000000 bytes (2.8 GiB)".
std::string shown(size_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  const std::string exact = std::to_string(bytes) + " bytes";
  size_t unit = 0;
  double size = static_cast<double>(bytes) / 1024;
  if (size < 1) return exact;
  for (; size >= 1024 && unit + 1 < kUnits.size(); ++unit) size /= 1024;
  const auto tenths = static_cast<uint64_t>(size * 10 + 0.5);
  return exact + " (" + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " " +
         std::string(kUnits[unit]) + ")";
}

constexpr std::string_view kRemedies =
    "use smaller dtypes; or compute in parts (hither.stream and hither.blocks, for arrays on the "
    "host)";

size_t cached_bytes(const runtime::DeviceState& root) {
  size_t bytes = 0;
  for (const auto& context : runtime::contexts_of(root)) {
    const PoolUse use = context->driver->pool_use();
    bytes += std::max(use.held_bytes, use.live_bytes) - use.live_bytes;
  }
  return bytes;
}

// Trims the pools of all contexts that have the root device or one of its sub-devices. Does not
// wait, because an allocation for a plan holds the graph lock.
void release_cached(const runtime::DeviceState& root) {
  for (const auto& context : runtime::contexts_of(root)) context->driver->trim_idle();
}

// DriverContext::allocate() for bytes that are reserved: reuses cached memory, or releases the
// cached memory of the device where its pools would otherwise hold more than the limit.
bool allocate(const Queue& queue, runtime::Block& block) {
  const runtime::DeviceState& root = runtime::root_of(queue.device());
  runtime::DriverContext& driver = *queue.context().state()->driver;
  const size_t limit = root.memory.limit();
  if (limit == runtime::DeviceMemory::kNoLimit || root.memory.used() + cached_bytes(root) <= limit)
    return driver.allocate(block);
  block.only_cached = true;
  if (driver.allocate(block)) return true;
  block.only_cached = false;
  release_cached(root);
  return driver.allocate(block);
}

/// Reserved bytes of the device's memory, which are given back at the end unless they are kept.
class Reservation {
 public:
  Reservation(const Queue& queue, size_t bytes)
      : root_(runtime::root_of(queue.device())), bytes_(bytes) {
    is_kept_ = is_refused_ = bytes > 0 && !root_.memory.reserve(bytes);
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  ~Reservation() {
    if (!is_kept_) root_.memory.give_back(bytes_);
  }
  bool is_refused() const noexcept { return is_refused_; }
  void keep() noexcept { is_kept_ = true; }

 private:
  runtime::DeviceState& root_;
  const size_t bytes_;
  bool is_kept_ = false, is_refused_ = false;
};

// The sizes that explain the failure, and what a program can do.
[[noreturn]] void refuse_allocation(const Queue& queue, size_t bytes, UsmType type) {
  std::string message = queue.device().filter_string() + " cannot give " + shown(bytes) + " of " +
                        std::string(name_of(type)) + " USM, its pools already trimmed";
  const MemoryInfo info = memory_info(queue.context());
  message += ": arrays use " + shown(info.used);
  if (info.free) message += ", and " + shown(*info.free) + " are free";
  message += "; release arrays, and the cached memory of other packages; ";
  message += kRemedies;
  throw Error(ErrorKind::kMemory, "Memory", message);
}

[[noreturn]] void refuse_beyond_limit(const Queue& queue, size_t bytes, UsmType type) {
  const runtime::DeviceState& root = runtime::root_of(queue.device());
  if (root.memory.limit() == runtime::DeviceMemory::kNoLimit)  // more than there are addresses
    refuse_allocation(queue, bytes, type);
  throw Error(
      ErrorKind::kMemory, "Memory",
      shown(bytes) + " of " + std::string(name_of(type)) + " USM exceed the limit: arrays use " +
          shown(root.memory.used()) + " of " + root.filter_string + ", and the limit is " +
          shown(root.memory.limit()) +
          "; raise the limit (hither.set_memory_limit or HITHER_MEMORY_LIMIT); release arrays; " +
          std::string(kRemedies));
}

}  // namespace

bool runtime::shares_memory_with_host(const Queue& queue) noexcept {
  return queue.state()->device.state()->facts().device_usm_is_host_memory && !strict_usm();
}

std::string_view name_of(UsmType type) noexcept { return kTypeNames[static_cast<int>(type)]; }

Memory::Memory(const Queue& queue, size_t bytes, UsmType type, size_t alignment)
    : Memory(queue, bytes, type, alignment, 0) {}

Memory Memory::for_work(const Queue& queue, size_t bytes, UsmType type) {
  const bool is_devices = type == UsmType::kDevice;
  return {queue, bytes, type, 64, is_devices ? queue.state()->driver->order() : 0};
}

Memory::Memory(const Queue& queue, size_t bytes, UsmType type, size_t alignment, uint64_t order) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0)
    throw Error(ErrorKind::kValue, "Memory",
                "alignment is " + std::to_string(alignment) + "; it must be a power of two");
  check_type(queue, type);
  runtime::Block block{.bytes = bytes,
                       .alignment = alignment < 64 ? 64 : alignment,
                       .type = type,
                       .device = queue.state()->device_index,
                       .order = order};
  Reservation reserved(queue, bytes);
  if (reserved.is_refused()) refuse_beyond_limit(queue, bytes, type);
  if (process::fails_here(process::Fault::kAllocate) || !allocate(queue, block))
    refuse_allocation(queue, bytes, type);
  try {
    using Allocator = runtime::RecyclingAllocator<runtime::AllocationState>;
    state_ = std::allocate_shared<runtime::AllocationState>(Allocator(), queue, block);
  } catch (...) {
    queue.context().state()->driver->release(block, {});
    throw;
  }
  reserved.keep();  // the state gives them back
  state_->host_accessible = is_host_accessible(queue, type);
  if (auto* const observer = runtime::WorkObserver::of_this_thread()) observer->allocated(*this);
}

Memory Memory::foreign(const Queue& queue, void* data, size_t bytes, UsmType type,
                       std::function<void()> release) {
  const runtime::Block block{.data = data,
                             .bytes = bytes,
                             .alignment = 1,
                             .type = type,
                             .device = queue.state()->device_index};
  Memory memory;
  memory.state_ = std::make_shared<runtime::AllocationState>(queue, block);
  memory.state_->is_foreign = true;
  memory.state_->host_accessible = is_host_accessible(queue, type);
  runtime::PointerRegistry::process().add(
      data, {queue.context().state().get(), bytes, type, queue.device().state()});
  memory.state_->release_foreign = std::move(release);
  return memory;
}

void* Memory::data() const noexcept { return state_ ? state_->block.data : nullptr; }
size_t Memory::bytes() const noexcept { return state_ ? state_->block.bytes : 0; }
UsmType Memory::usm_type() const noexcept { return state_->block.type; }
const Queue& Memory::queue() const noexcept { return state_->queue; }
bool Memory::is_foreign() const noexcept { return state_ && state_->is_foreign; }
bool Memory::host_accessible() const noexcept { return state_ && state_->host_accessible; }

void Memory::release_after(const Event& event) const {
  if (!state_ || event.is_complete()) return;
  std::lock_guard lock(state_->mutex);
  std::erase_if(state_->last_uses,
                [&](const Event& e) { return runtime::includes_wait_for(event, e); });
  state_->last_uses.push_back(event);
}

std::optional<PointerInfo> pointer_info(const void* pointer, const Context& context) {
  runtime::ContextState& state = *context.state();
  if (auto block = state.driver->find(pointer))
    return PointerInfo{block->type, state.devices[block->device], block->data, block->bytes};
  // Ask the driver first, because a registered range may be a part of its allocation.
  if (auto block = state.driver->find_foreign(pointer))
    return PointerInfo{block->type, state.devices[block->device], block->data, block->bytes};
  return runtime::PointerRegistry::process().find(pointer, &state);
}

bool is_known_range(const void* low, size_t bytes, const Context& context) {
  if (bytes == 0) return true;
  runtime::ContextState& state = *context.state();
  const char* const first = static_cast<const char*>(low);
  const auto holds = [&](const runtime::Block& block) {
    const auto before = static_cast<size_t>(first - static_cast<const char*>(block.data));
    return before <= block.bytes && bytes <= block.bytes - before;
  };
  if (const auto own = state.driver->find(low)) return holds(*own);
  if (const auto block = state.driver->find_foreign(low))
    return block->bytes == PTRDIFF_MAX ? state.driver->find_foreign(first + bytes - 1).has_value()
                                       : holds(*block);
  return runtime::PointerRegistry::process().covers(low, bytes, &state);
}

PoolUse pool_use(const Context& context) { return context.state()->driver->pool_use(); }
MemoryInfo memory_info(const Context& context) {
  const runtime::DriverContext& driver = *context.state()->driver;
  const PoolUse use = driver.pool_use();
  const size_t held = std::max(use.held_bytes, use.live_bytes);
  size_t limit = runtime::DeviceMemory::kNoLimit;
  for (const Device& device : context.devices())
    limit = std::min(limit, runtime::root_of(device).memory.limit());
  const bool is_limited = limit != runtime::DeviceMemory::kNoLimit;
  return {.used = use.live_bytes,
          .cached = held - use.live_bytes,
          .free = driver.free_bytes(),
          .peak = std::max(driver.peak_held_bytes(), held),
          .limit = is_limited ? std::optional(limit) : std::nullopt};
}
void set_memory_limit(const Device& device, std::optional<size_t> bytes) {
  runtime::root_of(device).memory.set_limit(bytes.value_or(runtime::DeviceMemory::kNoLimit));
}
void trim_pools(const Context& context) { context.state()->driver->trim(); }

runtime::AllocationState::AllocationState(const Queue& q, const Block& b) : queue(q), block(b) {
  counting::count(counting::Counter::kLiveAllocations);
}

runtime::AllocationState::~AllocationState() {
  counting::count(counting::Counter::kLiveAllocations, -1);
  ContextState& context = *queue.context().state();
  if (is_lent.load(std::memory_order_acquire)) {
    try {
      last_uses.push_back(interop_of(*queue.state()->driver).record_native_event(nullptr));
    } catch (...) {  // the context is lost: no work runs there
    }
  }
  if (!is_foreign) {
    context.driver->release(block, last_uses);
    root_of(queue.device()).memory.give_back(block.bytes);
    return;
  }
  PointerRegistry::process().remove(block.data, &context, block.bytes, block.type);
  if (!release_foreign) return;
  if (last_uses.empty())
    release_foreign();
  else
    when_all_ended(last_uses, std::move(release_foreign));
}

}  // namespace hither
