#include "launch/library_entry.h"

#include <fmt/format.h>

namespace hither::launch {

using compiler::LibraryParameter;
using target::Parameter;

namespace {

/// The LLVM type of the entry's parameter for `p`.
std::string entry_type(const LibraryParameter& p) {
  if (p.type == "ptr") return "ptr addrspace(1)";
  return p.type == "i1" ? "i8" : p.type;
}

}  // namespace

target::KernelModule library_module(const compiler::KernelLibrary& library,
                                    const compiler::LibraryKernel& kernel,
                                    std::span<const int> extents) {
  target::KernelModule module;
  module.entry = kernel.name;
  // Work-items that access the same memory without atomics or barriers are a data race, so
  // independence may be assumed.
  module.independent_items = true;
  std::string taken, casts, passed, declared;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const LibraryParameter& p = kernel.parameters[i];
    const char* comma = i == 0 ? "" : ", ";
    taken += fmt::format("{}{} %a{}", comma, entry_type(p), i);
    module.signature.parameters.push_back(p.kind);
    for (int k = 0; k < extents[i]; ++k) {
      taken += fmt::format(", i64 %n{}.{}", i, k);
      module.signature.parameters.push_back(Parameter::kInt64);
    }
    std::string value = fmt::format("%a{}", i);
    if (p.type == "ptr") {
      casts += fmt::format("  %p{0} = addrspacecast ptr addrspace(1) %a{0} to ptr\n", i);
      value = fmt::format("%p{}", i);
    } else if (p.type == "i1") {
      casts += fmt::format("  %p{0} = icmp ne i8 %a{0}, 0\n", i);
      value = fmt::format("%p{}", i);
    }
    passed += fmt::format("{}{} {}", comma, p.type, value);
    declared += fmt::format("{}{}", comma, p.type);
  }
  module.code = {fmt::format("declare void @\"{0}\"({1})\n"
                             "define void @\"{2}\"({3}) {{\n{4}  call void @\"{0}\"({5})\n"
                             "  ret void\n}}\n",
                             kernel.body, declared, kernel.name, taken, casts, passed),
                 library.code};
  return module;
}

}  // namespace hither::launch
