#include "python/convert/dlpack_type.h"

#include <fmt/format.h>
#include <hither/error.h>
#include <nanobind/stl/pair.h>

#include "python/interpreter/shown.h"

namespace hither::python::dlpack {

void refuse(const std::string& why) { throw Error(ErrorKind::kBuffer, "DLPack", why); }

DataType to_dlpack(DType dtype) {
  constexpr TypeCode codes[] = {kBool, kInt, kUInt, kFloat, kComplex};
  TypeCode code = codes[static_cast<int>(kind_of(dtype))];
  if (dtype == DType::kBFloat16) code = kBFloat;
  if (dtype == DType::kFloat8E4M3FN) code = kFloat8E4M3FN;
  if (dtype == DType::kFloat8E5M2) code = kFloat8E5M2;
  return {code, static_cast<uint8_t>(8 * size_of(dtype)), 1};
}

DType from_dlpack(const DataType& type) {
  for (int i = 0; i < kDTypeCount && type.lanes == 1; ++i) {
    const auto dtype = static_cast<DType>(i);
    const DataType candidate = to_dlpack(dtype);
    if (candidate.code == type.code && candidate.bits == type.bits) return dtype;
  }
  refuse(fmt::format("arrays cannot hold elements of type code {}, {} bits, {} lanes", type.code,
                     type.bits, type.lanes));
}

std::pair<int, int> pair_argument(nb::handle given, const char* name) {
  std::pair<int, int> pair;
  if (nb::try_cast(given, pair)) return pair;
  throw Error(ErrorKind::kType, name, shown(given) + " is not a tuple of two ints");
}

}  // namespace hither::python::dlpack
