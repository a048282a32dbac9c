#include "python/convert/range_argument.h"

#include <string>

#include <fmt/format.h>
#include <hither/error.h>

namespace hither::python {
namespace {

constexpr int kMaxDimensions = 3;

[[noreturn]] void refuse(nb::handle key) {
  throw Error(
      ErrorKind::kType, "range",
      fmt::format("{} is not a range; pass an int, a tuple of 1 to 3 ints, a hither.Range or a "
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
                fmt::format("{} is not an extent: it is negative or exceeds 64 bits",
                            nb::cast<std::string>(nb::repr(value))));
  return extent;
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

}  // namespace

PyTypeObject *range_type = nullptr, *nd_range_type = nullptr;

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

NdRange range_argument(nb::handle key) {
  if (Py_TYPE(key.ptr()) == range_type) return NdRange(*nb::inst_ptr<Range>(key));
  if (Py_TYPE(key.ptr()) == nd_range_type) return *nb::inst_ptr<NdRange>(key);
  if (nb::isinstance<NdRange>(key)) return nb::cast<const NdRange&>(key);
  if (!is_pair_of_ranges(key)) return NdRange(plain_range(key));
  const auto pair = nb::borrow<nb::tuple>(key);
  return with_local(plain_range(pair[0]), plain_range(pair[1]));
}

}  // namespace hither::python
