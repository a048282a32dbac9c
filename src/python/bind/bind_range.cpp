// hither.Range and hither.NdRange.
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/bind/bindings.h"
#include "python/bind/documentation.h"
#include "python/convert/range_argument.h"

namespace hither::python {
namespace {

int64_t checked(int64_t extent) {
  if (extent < 0)
    throw Error(ErrorKind::kValue, "range",
                fmt::format("{} is not an extent: it is negative", extent));
  return extent;
}

std::string text_of(const int64_t* size, int dimensions) {
  return fmt::format("{}", fmt::join(size, size + dimensions, ", "));
}

nb::tuple tuple_of(const int64_t* size, int dimensions) {
  nb::list values;
  for (int d = 0; d < dimensions; ++d) values.append(size[d]);
  return nb::tuple(values);
}

Range make_range(const nb::args& extents) {
  return extents.size() == 1 ? plain_range(extents[0]) : range_of_tuple(extents);
}

}  // namespace

void bind_range(nb::module_& m) {
  nb::class_<Range> range(m, "Range", documentation("Range"));
  range.def("__init__", [](Range* self, int64_t n) { new (self) Range(checked(n)); })
      .def("__init__",
           [](Range* self, const nb::args& extents) { new (self) Range(make_range(extents)); })
      .def("__len__", [](const Range& r) { return r.dimensions; })
      .def("__getitem__",
           [](const Range& r, int64_t d) {
             if (d < 0) d += r.dimensions;
             if (d < 0 || d >= r.dimensions) throw nb::index_error("a range has 1 to 3 dimensions");
             return r.size[d];
           })
      .def("size", &Range::items, documentation("Range.size"))
      .def(
          "__eq__",
          [](const Range& a, nb::handle other) {
            if (!nb::isinstance<Range>(other)) return false;
            const auto& b = nb::cast<const Range&>(other);
            return a.dimensions == b.dimensions && std::equal(a.size, a.size + 3, b.size);
          },
          nb::arg().none())
      .def("__hash__", [](const Range& r) { return nb::hash(tuple_of(r.size, r.dimensions)); })
      .def("__repr__",
           [](const Range& r) { return fmt::format("Range({})", text_of(r.size, r.dimensions)); });
  nb::class_<NdRange> nd_range(m, "NdRange", documentation("NdRange"));
  nd_range
      .def(nb::new_([](nb::handle global_size, nb::handle local_size) {
             return with_local(plain_range(global_size), plain_range(local_size));
           }),
           nb::arg("global_size"), nb::arg("local_size"))
      .def_prop_ro(
          "global_range", [](const NdRange& r) { return r.global; }, "The number of work-items.")
      .def_prop_ro(
          "local_range",
          [](const NdRange& r) {
            Range local;
            local.dimensions = r.global.dimensions;
            std::copy_n(r.local, local.dimensions, local.size);
            return local;
          },
          "The number of work-items of a group.")
      .def("__repr__", [](const NdRange& r) {
        return fmt::format("NdRange(({}), ({}))", text_of(r.global.size, r.global.dimensions),
                           text_of(r.local, r.global.dimensions));
      });
  range_type = reinterpret_cast<PyTypeObject*>(range.ptr());
  nd_range_type = reinterpret_cast<PyTypeObject*>(nd_range.ptr());
}

}  // namespace hither::python
