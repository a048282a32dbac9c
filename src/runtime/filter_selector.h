// The filter strings that select root devices.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <hither/device.h>

namespace hither::runtime {

/// One alternative of a filter string.
struct Filter {
  std::optional<Backend> backend;
  std::optional<DeviceType> type;
  int index = 0;  ///< among the devices that the other parts match
};

/// Parses
///   selector    = alternative { "," alternative }
///   alternative = backend [":" type] [":" index] | type [":" index] | index
/// in which words ignore case. Throws Error kValue, whose message shows the text with a caret under
/// the fault, and describes the fault and the correct form.
std::vector<Filter> parse_filter(std::string_view text);

/// The canonical string of a root device: "native_cpu:cpu:0".
std::string filter_string(Backend backend, DeviceType type, int index);

}  // namespace hither::runtime
