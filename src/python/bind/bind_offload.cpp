// Parallel regions, for hither.offload.
#include <string>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "launch/offload_region.h"
#include "python/bind/bindings.h"
#include "python/convert/kernel_front_end.h"
#include "python/interpreter/gil.h"

namespace hither::python {
namespace {

// Converts a hither._offload.region.RegionSource.
launch::RegionSource region_of(nb::handle given) {
  launch::RegionSource source;
  source.name = nb::cast<std::string>(given.attr("name"));
  source.digest = nb::cast<std::string>(given.attr("digest"));
  source.dimensions = nb::cast<int>(given.attr("dimensions"));
  source.single_task = nb::cast<bool>(given.attr("single_task"));
  source.is_long = nb::cast<bool>(given.attr("is_long"));
  source.whole_arrays = nb::cast<bool>(given.attr("whole_arrays"));
  source.joined = nb::cast<int>(given.attr("joined"));
  source.team = nb::cast<int64_t>(given.attr("team"));
  source.starts_of_joined = nb::cast<size_t>(given.attr("starts_of_joined"));
  source.slots = nb::cast<size_t>(given.attr("slots"));
  source.body = kernel_source_of(given.attr("body"), nb::cast<bool>(given.attr("debug")));
  if (nb::object dense = given.attr("dense"); !dense.is_none())
    source.dense = kernel_source_of(dense, nb::cast<bool>(given.attr("debug")));
  source.lanes = nb::cast<int64_t>(given.attr("lanes"));
  if (nb::object total = given.attr("total"); !total.is_none())
    source.total = kernel_source_of(total, false);
  using Array = std::tuple<uint32_t, int32_t, char, bool, bool, int64_t>;
  for (const auto& [slot, ndim, layout, written, outlives, bytes] :
       nb::cast<std::vector<Array>>(given.attr("arrays")))
    source.arrays.push_back({slot, ndim, layout, written, outlives, bytes});
  for (const auto& [bytes, array] :
       nb::cast<std::vector<std::tuple<int64_t, int32_t>>>(given.attr("reductions")))
    source.reductions.push_back({bytes, array});
  return source;
}

}  // namespace

void bind_offload(nb::module_& m) {
  m.def(
      "register_region",
      [](int64_t id, nb::handle source, const std::optional<Queue>& queue) {
        launch::Region& region = launch::register_region(id, region_of(source));
        if (!queue) return;
        GilReleased release;
        region.compile_for(*queue);
      },
      nb::arg("id"), nb::arg("source"), nb::arg("queue") = nb::none(),
      "Registers a parallel region, which compiled host code launches by `id`, and compiles it\n"
      "for the device of `queue`.");
  m.def(
      "region_uses",
      [](int64_t id) {
        nb::list uses;
        const launch::Region* region = launch::find_region(id);
        if (region)
          for (const launch::RegionUse& use : region->uses())
            uses.append(
                nb::make_tuple(use.device, use.launches, use.bytes_to_device, use.bytes_to_host));
        return uses;
      },
      nb::arg("id"), "(device, launches, bytes to it, bytes from it) for each device.");
  m.def(
      "region_text",
      [](int64_t id, bool assembly) {
        const launch::Region* region = launch::find_region(id);
        if (!region) throw Error(ErrorKind::kValue, "region", "is not known");
        GilReleased release;
        return region->inspect(assembly ? launch::Inspection::kAssembly
                                        : launch::Inspection::kOptimised);
      },
      nb::arg("id"), nb::arg("assembly"));
}

}  // namespace hither::python
