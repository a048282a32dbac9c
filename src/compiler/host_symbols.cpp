#include "compiler/host_symbols.h"

#include <cmath>
#include <cstring>

#include <dlfcn.h>

namespace hither::compiler {
namespace {

// lgamma also writes the global `signgam`; kernels run on many threads.
double lgamma_alone(double x) {
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
  if (name == "memcpy") return address<void*(void*, const void*, size_t)>(std::memcpy);
  if (name == "memmove") return address<void*(void*, const void*, size_t)>(std::memmove);
  if (name == "memset") return address<void*(void*, int, size_t)>(std::memset);
  if (name == "memcmp") return address<int(const void*, const void*, size_t)>(std::memcmp);
  if (name == "lgamma") return address(lgamma_alone);
  if (name == "lgammaf") return address(lgammaf_alone);
  return nullptr;
}

}  // namespace

void* find_host_symbol(const std::string& name) {
  // Never closed: code that calls them may run until the process ends.
  static void* const math = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
  static void* const vector_math = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
  if (void* found = runtime_function(name)) return found;
  if (name.starts_with("_ZGV")) return vector_math ? dlsym(vector_math, name.c_str()) : nullptr;
  return math ? dlsym(math, name.c_str()) : nullptr;
}

}  // namespace hither::compiler
