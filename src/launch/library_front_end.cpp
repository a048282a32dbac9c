#include "launch/library_front_end.h"

#include <vector>

#include <fmt/format.h>
#include <hither/error.h>

#include "launch/library_entry.h"

namespace hither::launch {
namespace {

using compiler::LibraryParameter;

// LLVM integers have no sign, so signed and unsigned integers of the size match.
bool fits(const LibraryParameter& p, DType dtype) {
  if (p.type == "i1") return dtype == DType::kBool;
  if (p.type[0] == 'i')
    return is_integer(dtype) && p.type == fmt::format("i{}", 8 * size_of(dtype));
  const char* of_floats = dtype == DType::kFloat16   ? "half"
                          : dtype == DType::kFloat32 ? "float"
                          : dtype == DType::kFloat64 ? "double"
                                                     : "";
  return p.type == of_floats;
}

std::string what_is_wrong(const LibraryParameter& p, const ArgumentType& type) {
  if (p.type == "ptr addrspace(3)")
    return type.local ? "" : "is a pointer to local memory; pass a hither.LocalAccessor";
  if (type.local) return "is not a pointer to local memory";
  if (p.type != "ptr") {
    if (type.rank < 0 && type.record == 0 && fits(p, type.dtype)) return "";
    return fmt::format("is a number of LLVM type {}; pass a number of that type", p.type);
  }
  if (type.rank < 0) return "is a pointer; pass an array";
  if (!type.contiguous)
    return "is a pointer, and the array is not C-contiguous; pass a copy (x.copy())";
  if (type.read_only && p.written) return "is written by the kernel, and the array is read-only";
  return "";
}

}  // namespace

KernelSource LibraryFrontEnd::make(std::span<const ArgumentType> types,
                                   std::span<const uint64_t> nesting) {
  if (!nesting.empty())
    throw Error(ErrorKind::kType, kernel_.name, "kernels written in C++ do not take tuples");
  KernelSource source;
  std::vector<int> extents;
  for (size_t i = 0; i < types.size(); ++i) {
    const LibraryParameter& p = kernel_.parameters[i];
    if (const std::string wrong = what_is_wrong(p, types[i]); !wrong.empty())
      throw Error(ErrorKind::kType, kernel_.name, fmt::format("parameter {} {}", i, wrong));
    extents.push_back(types[i].rank < 0 ? 0 : types[i].rank);
    source.written.push_back(p.written);
  }
  source.module = library_module(*library_, kernel_, extents);
  source.has_groups = kernel_.has_groups;
  return source;
}

std::shared_ptr<const compiler::KernelLibrary> load_library(std::string_view code,
                                                            const std::string& where) {
  return std::make_shared<const compiler::KernelLibrary>(compiler::read_library(code, where));
}

}  // namespace hither::launch
