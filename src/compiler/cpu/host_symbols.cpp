#include "compiler/cpu/host_symbols.h"

#include <cstring>
#include <string_view>
#include <unordered_map>

#include <dlfcn.h>

#include "compiler/cpu/group_scratch.h"
#include "compiler/cpu/sleef.h"
#include "process/library.h"

// The compiler's support library, which LLVM's code calls for operations that a CPU lacks. Only the
// addresses are used, so that the declarations need no types that some compilers lack.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
#if !defined(__aarch64__)  // which has instructions for these
void __extendhfsf2();
void __truncsfhf2();
void __truncdfhf2();
#endif
void __divti3();
void __modti3();
void __udivti3();
void __umodti3();
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace hither::compiler {
namespace {

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
#if !defined(__aarch64__)
      {"__extendhfsf2", address(__extendhfsf2)},
      {"__truncsfhf2", address(__truncsfhf2)},
      {"__truncdfhf2", address(__truncdfhf2)},
#endif
      {"__divti3", address(__divti3)},
      {"__modti3", address(__modti3)},
      {"__udivti3", address(__udivti3)},
      {"__umodti3", address(__umodti3)},
  };
  auto it = functions.find(name);
  return it == functions.end() ? nullptr : it->second;
}

void* math_library() {
  // Never closed, because code that calls it may run until the process ends. If opening it throws,
  // the next call tries again.
  static void* const opened = process::open_library("libm.so.6");
  return opened;
}

}  // namespace

void open_host_libraries() { math_library(); }

void* find_host_symbol(const std::string& name) {
  void* const math = math_library();
  if (void* found = runtime_function(name)) return found;
  if (void* found = find_sleef_symbol(name)) return found;
  return math ? dlsym(math, name.c_str()) : nullptr;
}

}  // namespace hither::compiler
