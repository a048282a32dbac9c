#include "launch/launch_range.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <hither/error.h>

#include "runtime/device_state.h"

namespace hither::launch {

NdRange range_of_arguments(std::string_view kernel, std::span<const Argument> arguments) {
  auto first = std::ranges::find_if(arguments, &Argument::is_array);
  if (first == arguments.end())
    throw Error(ErrorKind::kValue, std::string(kernel),
                "the call gives no range and has no array whose shape could be one; launch it as "
                "kernel[n](...)");
  const Dims& shape = first->kind == ArgumentKind::kArray ? first->array->shape() : *first->shape;
  switch (shape.size()) {
    case 0:
      return NdRange(Range(1));
    case 1:
      return NdRange(Range(shape[0]));
    case 2:
      return NdRange(Range(shape[0], shape[1]));
    case 3:
      return NdRange(Range(shape[0], shape[1], shape[2]));
    default:
      throw Error(
          ErrorKind::kValue, std::string(kernel),
          fmt::format("the first array has {} dimensions and a range at most 3; launch it as "
                      "kernel[n](...)",
                      shape.size()));
  }
}

namespace {

[[noreturn]] void refuse(std::string_view kernel, const std::string& message) {
  throw Error(ErrorKind::kValue, std::string(kernel), message);
}

bool is_grouped(const NdRange& range) noexcept {
  return (range.local[0] | range.local[1] | range.local[2]) != 0;
}

}  // namespace

void check_range(std::string_view kernel, const NdRange& range, const Device& device) {
  const int64_t most = device.state()->facts().max_work_group_size;
  int64_t group = 1;
  for (int d = 0; d < range.global.dimensions; ++d) {
    const int64_t global = range.global.size[d], local = range.local[d];
    if (global < 0)
      refuse(kernel, fmt::format("the range has extent {} in dimension {}", global, d));
    if (!is_grouped(range)) continue;
    if (local <= 0 || global % local != 0)
      refuse(kernel,
             fmt::format("the local size {} in dimension {} does not divide the global size {}",
                         local, d, global));
    if (__builtin_mul_overflow(group, local, &group) || group > most)
      refuse(kernel,
             fmt::format("the local sizes ({}) make a work-group of more work-items than the {} "
                         "that {} takes (max_work_group_size)",
                         fmt::join(range.local, range.local + range.global.dimensions, ", "), most,
                         device.filter_string()));
  }
}

void check_has_groups(std::string_view kernel, const NdRange& range) {
  if (is_grouped(range)) return;
  refuse(kernel, fmt::format("uses work-groups (barriers, local memory or group functions); launch "
                             "it over an NdRange, which says the local size: {}[hither.NdRange("
                             "global, local)](...)",
                             kernel));
}

}  // namespace hither::launch
