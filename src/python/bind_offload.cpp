// What hither.offload needs of the core.
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "launch/offload_region.h"
#include "python/bindings.h"
#include "python/kernel_front_end.h"

namespace hither::python {
namespace {

// The fields of hither.offload.region.RegionSource.
launch::RegionSource region_of(nb::handle given) {
  launch::RegionSource source;
  source.name = nb::cast<std::string>(given.attr("name"));
  source.dimensions = nb::cast<int>(given.attr("dimensions"));
  source.slots = nb::cast<size_t>(given.attr("slots"));
  source.body = kernel_source_of(given.attr("body"), nb::cast<bool>(given.attr("debug")));
  if (nb::object total = given.attr("total"); !total.is_none())
    source.total = kernel_source_of(total, false);
  using Array = std::tuple<uint32_t, int32_t, bool, bool, int64_t>;
  for (const auto& [slot, ndim, contiguous, written, bytes] :
       nb::cast<std::vector<Array>>(given.attr("arrays")))
    source.arrays.push_back({slot, ndim, contiguous, written, bytes});
  for (const auto& [bytes, array] :
       nb::cast<std::vector<std::tuple<int64_t, int32_t>>>(given.attr("reductions")))
    source.reductions.push_back({bytes, array});
  return source;
}

}  // namespace

void bind_offload(nb::module_& m) {
  m.def(
      "register_region",
      [](int64_t id, nb::handle source) { launch::register_region(id, region_of(source)); },
      nb::arg("id"), nb::arg("source"),
      "Makes a parallel region known to host code that launches it by `id`.");
}

}  // namespace hither::python
