#include "array/placed.h"

#include <vector>

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
    placed.push_back(placed_argument(*x));
  }
  return {runtime::place(function, placed, queue, nullptr).queue, usm};
}

runtime::PlacedArgument placed_argument(const Array& x, std::string_view name) noexcept {
  return {.kind = runtime::ArgumentKind::kUsmArray,
          .queue = &x.queue(),
          .usm_type = x.usm_type(),
          .name = name};  // the type of the original argument is not known here
}

Array on_queue(const Array& x, const Queue& queue) {
  return x.queue() == queue ? x : to_queue(x, {queue, x.usm_type()});
}

}  // namespace hither::array
