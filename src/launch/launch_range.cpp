#include "launch/launch_range.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <hither/error.h>

namespace hither::launch {

NdRange range_of_arguments(std::string_view kernel, std::span<const Argument> arguments) {
  auto first = std::ranges::find_if(arguments, &Argument::is_array);
  if (first == arguments.end())
    throw Error(
        ErrorKind::kValue, std::string(kernel),
        "the call has no range, and no array argument from which to infer one; launch it as "
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
          fmt::format("the first array has {} dimensions, and a range has at most 3; launch it as "
                      "kernel[n](...)",
                      shape.size()));
  }
}

}  // namespace hither::launch
