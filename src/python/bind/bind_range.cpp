// hither.Range and hither.NdRange.
#include <string>

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/string.h>

#include "python/convert/range_argument.h"

namespace hither::python {
namespace {

constexpr int kMaxDimensions = 3;

// Borrowed for the life of the process. Subclasses take the slow way.
PyTypeObject *range_type = nullptr, *nd_range_type = nullptr;

[[noreturn]] void refuse(nb::handle key) {
  throw Error(
      ErrorKind::kType, "range",
      fmt::format("{} is no range: give an int, a tuple of 1 to 3 ints, a hither.Range or a "
                  "hither.NdRange",
                  nb::cast<std::string>(nb::repr(key))));
}

int64_t extent_of(nb::handle value) {
  int64_t extent = 0;
  nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    refuse(value);
  }
  if (!nb::try_cast(index, extent) || extent < 0)
    throw Error(ErrorKind::kValue, "range",
                fmt::format("{} is no extent: it is negative, or more than 64 bits",
                            nb::cast<std::string>(nb::repr(value))));
  return extent;
}

int64_t checked(int64_t extent) {
  if (extent < 0)
    throw Error(ErrorKind::kValue, "range", fmt::format("{} is no extent: it is negative", extent));
  return extent;
}

Range range_of_tuple(nb::handle key) {
  const auto extents = nb::borrow<nb::tuple>(key);
  if (extents.size() < 1 || extents.size() > kMaxDimensions) refuse(key);
  Range range;
  range.dimensions = static_cast<int>(extents.size());
  for (int d = 0; d < range.dimensions; ++d) range.size[d] = extent_of(extents[d]);
  return range;
}

Range plain_range(nb::handle key) {
  if (nb::isinstance<Range>(key)) return nb::cast<const Range&>(key);
  if (nb::isinstance<nb::tuple>(key)) return range_of_tuple(key);
  if (nb::isinstance<nb::list>(key)) return range_of_tuple(nb::tuple(key));
  return Range(extent_of(key));
}

NdRange with_local(const Range& global, const Range& local) {
  if (global.dimensions != local.dimensions)
    throw Error(ErrorKind::kValue, "NdRange",
                fmt::format("the global range has {} dimension(s) and the local one {}",
                            global.dimensions, local.dimensions));
  for (int d = 0; d < global.dimensions; ++d)
    if (local.size[d] == 0)
      throw Error(ErrorKind::kValue, "NdRange",
                  fmt::format("the local size is 0 in dimension {}", d));
  return NdRange(global, local);
}

bool is_pair_of_ranges(nb::handle key) {
  if (!nb::isinstance<nb::tuple>(key)) return false;
  const auto pair = nb::borrow<nb::tuple>(key);
  if (pair.size() != 2) return false;
  auto is_range = [](nb::handle h) {
    return nb::isinstance<Range>(h) || nb::isinstance<nb::tuple>(h);
  };
  return is_range(pair[0]) || is_range(pair[1]);
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

NdRange range_argument(nb::handle key) {
  if (Py_TYPE(key.ptr()) == range_type) return NdRange(*nb::inst_ptr<Range>(key));
  if (Py_TYPE(key.ptr()) == nd_range_type) return *nb::inst_ptr<NdRange>(key);
  if (nb::isinstance<NdRange>(key)) return nb::cast<const NdRange&>(key);
  if (!is_pair_of_ranges(key)) return NdRange(plain_range(key));
  const auto pair = nb::borrow<nb::tuple>(key);
  return with_local(plain_range(pair[0]), plain_range(pair[1]));
}

void bind_range(nb::module_& m) {
  nb::class_<Range> range(
      m, "Range",
      "Number of work-items in 1 to 3 dimensions: Range(n), Range(n, m), Range(n, m, k).\n"
      "Dimension 0 is the outermost, the last one is contiguous.");
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
      .def("size", &Range::items, "Number of work-items in all.")
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
  nb::class_<NdRange> nd_range(m, "NdRange",
                               "A range divided into work-groups: NdRange(global_size, "
                               "local_size), each an int, a tuple, a\n"
                               "list or a Range, with as many dimensions; local divides global.");
  nd_range
      .def(nb::new_([](nb::handle global_size, nb::handle local_size) {
             return with_local(plain_range(global_size), plain_range(local_size));
           }),
           nb::arg("global_size"), nb::arg("local_size"))
      .def_prop_ro("global_range", [](const NdRange& r) { return r.global; })
      .def_prop_ro("local_range",
                   [](const NdRange& r) {
                     Range local;
                     local.dimensions = r.global.dimensions;
                     std::copy_n(r.local, local.dimensions, local.size);
                     return local;
                   })
      .def("__repr__", [](const NdRange& r) {
        return fmt::format("NdRange(({}), ({}))", text_of(r.global.size, r.global.dimensions),
                           text_of(r.local, r.global.dimensions));
      });
  range_type = reinterpret_cast<PyTypeObject*>(range.ptr());
  nd_range_type = reinterpret_cast<PyTypeObject*>(nd_range.ptr());
}

}  // namespace hither::python
