// Functions of OpenCL, for what SYCL has no word for.
#pragma once

#include <dlfcn.h>

namespace hither::drivers::sycl {

/// The function of that name and type in the libOpenCL that SYCL has opened; null if there is none.
template <class Function>
Function* opencl_function(const char* name) noexcept {
  void* const library = dlopen("libOpenCL.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) return nullptr;
  auto* const found = reinterpret_cast<Function*>(dlsym(library, name));
  dlclose(library);  // others keep it
  return found;
}

}  // namespace hither::drivers::sycl
