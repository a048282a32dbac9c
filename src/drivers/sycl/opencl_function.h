// Functions of OpenCL, for what SYCL has no word for.
#pragma once

#include <memory>
#include <type_traits>

#include <CL/cl.h>
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

/// An object of OpenCL's that is ours, and by what function it is let go.
template <class Handle>
using Native = std::unique_ptr<std::remove_pointer_t<Handle>, cl_int (*)(Handle)>;

}  // namespace hither::drivers::sycl
