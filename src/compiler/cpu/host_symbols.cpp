#include "compiler/cpu/host_symbols.h"

#include <cmath>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include <dlfcn.h>

#include "compiler/cpu/group_scratch.h"
#include "process/library.h"

// The compiler's support library, which LLVM's code calls for operations that a CPU lacks. Only the
// addresses are used, so that the declarations need no types that some compilers lack.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
void __extendhfsf2();
void __truncsfhf2();
void __truncdfhf2();
void __divti3();
void __modti3();
void __udivti3();
void __umodti3();
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace hither::compiler {
namespace {

constexpr const char* kVectorMathLibrary = "libmvec.so.1";

// lgamma writes the global `signgam`, which is a race if kernels run on several threads.
double lgamma_without_signgam(double x) {
  int sign;
  return ::lgamma_r(x, &sign);
}
float lgammaf_alone(float x) {
  int sign;
  return ::lgammaf_r(x, &sign);
}

template <class F>
void* address(F* f) {
  return reinterpret_cast<void*>(f);
}

void* runtime_function(const std::string& name) {
  static const std::unordered_map<std::string_view, void*> functions = {
      {"memcpy", address<void*(void*, const void*, size_t)>(std::memcpy)},
      {"memmove", address<void*(void*, const void*, size_t)>(std::memmove)},
      {"memset", address<void*(void*, int, size_t)>(std::memset)},
      {kGroupScratchName, address(group_scratch)},
      {"lgamma", address(lgamma_without_signgam)},
      {"lgammaf", address(lgammaf_alone)},
      {"__extendhfsf2", address(__extendhfsf2)},
      {"__truncsfhf2", address(__truncsfhf2)},
      {"__truncdfhf2", address(__truncdfhf2)},
      {"__divti3", address(__divti3)},
      {"__modti3", address(__modti3)},
      {"__udivti3", address(__udivti3)},
      {"__umodti3", address(__umodti3)},
  };
  auto it = functions.find(name);
  return it == functions.end() ? nullptr : it->second;
}

struct HostLibraries {
  void* math;
  void* vector_math;
};

const HostLibraries& host_libraries() {
  // Never closed, because code that calls them may run until the process ends. If opening one
  // throws, the next call tries again.
  static const HostLibraries opened{process::open_library("libm.so.6"),
                                    process::open_library(kVectorMathLibrary)};
  return opened;
}

}  // namespace

void open_host_libraries() { host_libraries(); }

std::string_view vector_math_variant() {
  return host_libraries().vector_math ? kVectorMathLibrary : "none";
}

void* find_host_symbol(const std::string& name) {
  const auto& [math, vector_math] = host_libraries();
  if (void* found = runtime_function(name)) return found;
  if (name.starts_with("_ZGV")) return vector_math ? dlsym(vector_math, name.c_str()) : nullptr;
  return math ? dlsym(math, name.c_str()) : nullptr;
}

}  // namespace hither::compiler
