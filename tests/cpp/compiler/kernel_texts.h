// Texts of kernel modules for the tests of the compiler.
#pragma once

#include <initializer_list>
#include <string>

#include "compiler/compiler.h"
#include "target/kernel_module.h"

namespace hither::compiler::tests {

using target::Parameter;

inline target::KernelModule module_of(std::string text, std::initializer_list<Parameter> parameters,
                                      std::string entry = "k") {
  target::KernelModule module;
  module.entry = std::move(entry);
  module.code = {std::move(text)};
  module.signature.parameters = parameters;
  return module;
}

/// c[i] = a[i] + function(b[i]) over doubles, one element for each work-item.
inline target::KernelModule add_of(const std::string& function) {
  return module_of(R"(
    declare i64 @hither.global_id(i32)
    declare double @)" +
                       function + R"((double)
    define void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %c) {
      %i = call i64 @hither.global_id(i32 0)
      %pa = getelementptr double, ptr addrspace(1) %a, i64 %i
      %pb = getelementptr double, ptr addrspace(1) %b, i64 %i
      %pc = getelementptr double, ptr addrspace(1) %c, i64 %i
      %x = load double, ptr addrspace(1) %pa
      %y = load double, ptr addrspace(1) %pb
      %f = call double @)" +
                       function + R"((double %y)
      %z = fadd double %x, %f
      store double %z, ptr addrspace(1) %pc
      ret void
    })",
                   {Parameter::kPointer, Parameter::kPointer, Parameter::kPointer});
}

/// Runs a compiled kernel over a range on this thread and returns its error record.
inline target::ErrorRecord run(const target::CodeImage& image, const void* arguments,
                               std::initializer_list<int64_t> size,
                               std::initializer_list<int64_t> local = {}) {
  target::WorkRange range{{0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  int d = 0;
  for (int64_t n : size) range.end[d] = range.global_size[d] = n, ++d;
  d = 0;
  for (int64_t n : local) range.local_size[d++] = n;
  target::ErrorRecord error;
  image.entry(arguments, &range, &error);
  return error;
}

}  // namespace hither::compiler::tests
