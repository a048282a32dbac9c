// sort() and argsort(): check arguments and make recipes.
#include <hither/sort.h>

#include <hither/manipulate.h>

#include "array/flush.h"
#include "array/placed.h"
#include "array/sort_recipe.h"

namespace hither {

using namespace array;

namespace {

Array sorted(std::string_view where, const Array& x, const SortOptions& options, bool indices,
             const Queue* queue) {
  require_arithmetic(where, x.dtype());
  if (x.dtype() == DType::kBFloat16) {
    const Array result = sorted(where, astype(x, DType::kFloat32), options, indices, queue);
    return indices ? result : astype(result, x.dtype());
  }
  const int axis = normalize_axis(options.axis, x.ndim(), where);
  const Placed placed = place_arrays(where, {&x}, queue);
  const Array rows = moveaxis(x, {axis}, {-1});
  const DType dtype = indices ? DType::kInt64 : x.dtype();
  const Array result =
      finish_recipe(rows.shape(), dtype, x.dtype(), {placed.queue, placed.usm_type}, {&rows, 1},
                    std::make_unique<SortRecipe>(x.shape()[axis], options.descending, indices));
  return axis == x.ndim() - 1 ? result : copy(moveaxis(result, {-1}, {axis}));  // in C order
}

}  // namespace

Array sort(const Array& x, const SortOptions& options, const Queue* queue) {
  return sorted("sort", x, options, false, queue);
}

Array argsort(const Array& x, const SortOptions& options, const Queue* queue) {
  return sorted("argsort", x, options, true, queue);
}

}  // namespace hither
