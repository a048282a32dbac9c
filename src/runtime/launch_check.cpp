#include "runtime/launch_check.h"

#include <cstring>
#include <string>

#include "runtime/context_state.h"
#include "runtime/device_state.h"
#include "runtime/kernel_state.h"
#include "runtime/queue_state.h"

namespace hither::runtime {
namespace {

[[noreturn]] void refuse(std::string_view kernel, const std::string& message) {
  throw Error(ErrorKind::kValue, std::string(kernel), message);
}

void check_sizes(std::string_view kernel, const Range& global) {
  if (global.dimensions < 1 || global.dimensions > 3)
    refuse(kernel, "a range has 1 to 3 dimensions, not " + std::to_string(global.dimensions));
  int64_t items = 1;
  for (int d = 0; d < 3; ++d) {
    if (global.size[d] < 0)
      refuse(kernel, "the range is negative (" + std::to_string(global.size[d]) +
                         ") in dimension " + std::to_string(d));
    if (__builtin_mul_overflow(items, global.size[d], &items))
      refuse(kernel, "the range has more than 2^63 work-items; launch it over parts of the range");
  }
}

std::string text_of(const int64_t* sizes, int dimensions) {
  std::string text;
  for (int d = 0; d < dimensions; ++d) text += (d ? "x" : "") + std::to_string(sizes[d]);
  return text;
}

bool has_local_size(const NdRange& range) noexcept {
  return (range.local[0] | range.local[1] | range.local[2]) != 0;
}

void check_local_size(std::string_view kernel, const NdRange& range, const DeviceFacts& facts) {
  int64_t group = 1;
  for (int d = 0; d < range.global.dimensions; ++d) {
    const int64_t local = range.local[d], global = range.global.size[d];
    const std::string where = " in dimension " + std::to_string(d);
    if (local < 1)
      refuse(kernel, "the local size is " + std::to_string(local) + where +
                         "; give every dimension at least 1, or no local size at all");
    if (global % local != 0)
      refuse(kernel, "the local size " + std::to_string(local) +
                         " does not divide the global size " + std::to_string(global) + where);
    if (__builtin_mul_overflow(group, local, &group) || group > facts.max_work_group_size)
      refuse(kernel, "a work-group of " + text_of(range.local, range.global.dimensions) +
                         " has more than the device's " +
                         std::to_string(facts.max_work_group_size) +
                         " work-items (max_work_group_size)");
  }
}

void check_compiled_size(const KernelState& kernel, const NdRange& range) {
  const int64_t* compiled = kernel.image->local_size;
  if (compiled[0] == 0) return;
  for (int d = 0; d < 3; ++d)
    if ((d < range.global.dimensions ? range.local[d] : 1) != compiled[d])
      refuse(kernel.name, "was compiled for work-groups of " + text_of(compiled, 3) + ", not of " +
                              text_of(range.local, range.global.dimensions));
}

void check_local_memory(const KernelState& kernel, std::span<const std::byte> arguments,
                        const DeviceFacts& facts) {
  int64_t bytes = kernel.image->local_bytes;
  size_t slot = 0;
  for (target::Parameter parameter : kernel.image->signature.parameters) {
    if (parameter == target::Parameter::kLocalBytes) {
      int64_t wanted = 0;
      std::memcpy(&wanted, arguments.data() + slot, sizeof wanted);
      if (wanted < 0 || __builtin_add_overflow(bytes, wanted, &bytes))
        refuse(kernel.name, "a local memory argument has an invalid size of " +
                                std::to_string(wanted) + " bytes");
    }
    slot += (size_of(parameter) + 7) / 8 * 8;
  }
  if (bytes > facts.local_mem_bytes)
    refuse(kernel.name, "a work-group needs " + std::to_string(bytes) +
                            " bytes of local memory, but the device has " +
                            std::to_string(facts.local_mem_bytes) + " (local_mem_size)");
}

}  // namespace

void check_range(std::string_view kernel, const NdRange& range, const DeviceFacts& facts) {
  check_sizes(kernel, range.global);
  if (has_local_size(range)) check_local_size(kernel, range, facts);
}

void check_has_groups(std::string_view kernel, const NdRange& range) {
  if (has_local_size(range)) return;
  refuse(kernel,
         "uses work-groups (barriers, local memory or group functions); launch it over an NdRange, "
         "which says the local size: NdRange(global, local)");
}

void check_launch(const QueueState& queue, const Kernel& kernel, const NdRange& range,
                  std::span<const std::byte> arguments) {
  if (!kernel) throw Error(ErrorKind::kValue, "Queue.submit", "kernel is empty");
  const KernelState& state = *kernel.state();
  if (state.context != queue.context.state())
    refuse(state.name, "was loaded into another context than the queue's; load it for " +
                           queue.device.filter_string() + "'s");
  if (arguments.size() != state.packed_bytes)
    refuse(state.name, "takes " + std::to_string(state.packed_bytes) +
                           " bytes of packed arguments, not " + std::to_string(arguments.size()));
  const DeviceFacts& facts = queue.device.state()->facts();
  check_range(state.name, range, facts);
  if (!state.has_groups) return;
  if (state.image->uses_groups) check_has_groups(state.name, range);
  check_compiled_size(state, range);
  check_local_memory(state, arguments, facts);
}

}  // namespace hither::runtime
