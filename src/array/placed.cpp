#include "array/placed.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime/placement.h"

namespace hither::array {

Placed place_arrays(std::string_view function, std::span<const Array* const> arrays,
                    const Queue* queue) {
  UsmType usm = UsmType::kHost;
  bool simple = queue == nullptr && !arrays.empty();
  for (const Array* x : arrays) {
    usm = strongest(usm, x->usm_type());
    simple = simple && x->queue() == arrays[0]->queue();
  }
  if (simple) return {arrays[0]->queue(), usm};
  std::vector<runtime::PlacedArgument> placed;
  for (const Array* x : arrays) {
    runtime::PlacedArgument p;
    p.kind = runtime::ArgumentKind::kUsmArray;
    p.queue = &x->queue();
    p.usm_type = x->usm_type();
    p.type_name = "hither.Array";
    placed.push_back(p);
  }
  return {runtime::place(function, placed, queue, nullptr).queue, usm};
}

std::string shape_text(const Dims& shape) {
  return fmt::format("({}{})", fmt::join(shape.begin(), shape.end(), ", "),
                     shape.size() == 1 ? "," : "");
}

}  // namespace hither::array
